package dev.postroom.admin.page;

import java.util.Locale;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Builds the stage once per JVM, clears it after each test, and takes it down at the end.
 *
 * <p>Playwright writes its own names in lower case by the default locale, which is Turkish in our tests: it says
 * "lınk" and is not understood. So the locale is another one while it works.
 */
final class StageExtension implements ParameterResolver, BeforeEachCallback, AfterEachCallback {
    private Locale usual = Locale.getDefault();

    @Override
    public void beforeEach(ExtensionContext test) {
        usual = Locale.getDefault();
        Locale.setDefault(Locale.ROOT);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == Stage.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return stage(test);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        try {
            stage(test).clear(test.getExecutionException().isEmpty());
        } finally {
            Locale.setDefault(usual);
        }
    }

    /** What is in the root's store is closed when all tests are over. */
    private static Stage stage(ExtensionContext test) {
        return test.getRoot()
                .getStore(Namespace.create(Stage.class))
                .computeIfAbsent(Stage.class, type -> new Stage(), Stage.class);
    }
}
