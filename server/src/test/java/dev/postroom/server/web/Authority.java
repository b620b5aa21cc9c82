package dev.postroom.server.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority of the test's own, which makes certificates for this machine; by Java's keytool. */
final class Authority {
    private static final String PASSWORD = "changeit";

    private final Path store;

    Authority(Path folder) throws IOException, InterruptedException {
        store = folder.resolve("authority.p12");
        keytool("-genkeypair", "-alias", "ca", "-dname", "CN=Authority of a test", "-ext", "bc:c");
    }

    /** Writes a certificate for 127.0.0.1 and its private key. */
    void issue(String name, Path certificate, Path privateKey)
            throws IOException, InterruptedException, GeneralSecurityException {
        keytool("-genkeypair", "-alias", name, "-signer", "ca", "-dname", "CN=" + name, "-ext", "san=ip:127.0.0.1");
        KeyStore keys = load();
        // Each in one step: a server that watches the file never sees half of it.
        write(certificate, "CERTIFICATE", keys.getCertificate(name).getEncoded());
        write(
                privateKey,
                "PRIVATE KEY",
                keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
    }

    private static void write(Path file, String kind, byte[] content) throws IOException {
        String text = "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind
                + "-----\n";
        Path whole = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        Files.move(whole, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    /** Believes this authority alone. */
    SSLContext trusted() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", load().getCertificate("ca"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private KeyStore load() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
    }
}
