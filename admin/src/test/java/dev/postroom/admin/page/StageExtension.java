package dev.postroom.admin.page;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Builds the stage once per JVM, clears it after each test, and takes it down at the end. */
final class StageExtension implements ParameterResolver, AfterEachCallback {

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
        stage(test).clear(test.getExecutionException().isEmpty());
    }

    /** What is in the root's store is closed when all tests are over. */
    private static Stage stage(ExtensionContext test) {
        return test.getRoot()
                .getStore(Namespace.create(Stage.class))
                .computeIfAbsent(Stage.class, type -> new Stage(), Stage.class);
    }
}
