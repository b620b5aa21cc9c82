package dev.postroom.server.database;

import java.sql.Driver;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Finds the driver for a URL. {@link java.sql.DriverManager} would start all drivers to ask each, which takes longer than
 * most commands: this starts one.
 */
final class Drivers {
    private static final String H2_BIND_ADDRESS = "h2.bindAddress";
    private static final Map<String, String> PACKAGES = Map.of(
            "jdbc:postgresql:", "org.postgresql.",
            "jdbc:mariadb:", "org.mariadb.jdbc.",
            "jdbc:h2:", "org.h2.");

    static {
        // H2 listens where its AUTO_SERVER serves other processes: on all interfaces, unless it is told before it is
        // loaded.
        if (System.getProperty(H2_BIND_ADDRESS) == null) {
            System.setProperty(H2_BIND_ADDRESS, "127.0.0.1");
        }
    }

    private Drivers() {}

    static Optional<Driver> forUrl(String url) {
        return PACKAGES.entrySet().stream()
                .filter(entry -> url.startsWith(entry.getKey()))
                .findFirst()
                .flatMap(entry -> load(entry.getValue()));
    }

    private static Optional<Driver> load(String packageName) {
        return ServiceLoader.load(Driver.class, Drivers.class.getClassLoader()).stream()
                .filter(provider -> provider.type().getName().startsWith(packageName))
                .findFirst()
                .map(ServiceLoader.Provider::get);
    }
}
