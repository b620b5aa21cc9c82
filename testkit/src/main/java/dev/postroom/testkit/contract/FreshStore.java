package dev.postroom.testkit.contract;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One migrated set of tables per contract class, emptied before each test; migrating anew for each would be slow. */
final class FreshStore implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(FreshStore.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == StoreUnderTest.class;
    }

    @Override
    public StoreUnderTest resolveParameter(ParameterContext parameter, ExtensionContext context) {
        StoreUnderTest store = store(context);
        store.clear();
        return store;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        store(context).closeAll();
    }

    private static StoreUnderTest store(ExtensionContext context) {
        ExtensionContext ofClass = context.getParent().orElseThrow();
        return ofClass.getStore(HERE)
                .computeIfAbsent(
                        context.getRequiredTestClass(),
                        type -> StoreUnderTest.migrated(context.getRequiredTestInstances()
                                .findInstance(DatabaseUnderTest.Given.class)
                                .orElseThrow(() -> new IllegalStateException(
                                        "nest the contract in a class that implements DatabaseUnderTest.Given"))
                                .database()),
                        StoreUnderTest.class);
    }
}
