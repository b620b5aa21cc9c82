package dev.postroom.testkit;

import dev.postroom.outbox.Outbox;
import dev.postroom.relay.ManualRelay;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test a fresh outbox in memory, and closes it afterwards. Test methods take as parameters what they need:
 * {@link TestOutbox}, {@link Outbox}, {@link ManualRelay}, {@link ManualClock}, {@link RecordingTransport} or
 * {@link FaultyTransport}. For JUnit 5 and 6, and for tests that run in parallel.
 *
 * <pre>{@code
 * @ExtendWith(PostroomExtension.class)
 * class OrdersTest {
 *     @Test
 *     void order_is_announced(Outbox outbox, ManualRelay relay, RecordingTransport transport) { … }
 * }
 * }</pre>
 *
 * <p>With settings: {@code @RegisterExtension PostroomExtension postroom = PostroomExtension.with(test -> test.deliverTo("a"));}
 */
public final class PostroomExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(PostroomExtension.class);

    private static final Map<Class<?>, Function<TestOutbox, Object>> PARTS = Map.of(
            TestOutbox.class, test -> test,
            Outbox.class, TestOutbox::outbox,
            ManualRelay.class, TestOutbox::relay,
            ManualClock.class, TestOutbox::clock,
            RecordingTransport.class, TestOutbox::transport,
            FaultyTransport.class, TestOutbox::faults);

    private final UnaryOperator<TestOutbox.Builder> settings;

    /** With default settings; for {@code @ExtendWith}. */
    public PostroomExtension() {
        this(UnaryOperator.identity());
    }

    private PostroomExtension(UnaryOperator<TestOutbox.Builder> settings) {
        this.settings = settings;
    }

    /** With settings of its own; for {@code @RegisterExtension}. */
    public static PostroomExtension with(UnaryOperator<TestOutbox.Builder> settings) {
        return new PostroomExtension(settings);
    }

    /** Not for constructors and what runs before all tests: every test has an outbox of its own. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return PARTS.containsKey(parameter.getParameter().getType())
                && !(parameter.getDeclaringExecutable() instanceof Constructor)
                && context.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Function<TestOutbox, Object> part = PARTS.get(parameter.getParameter().getType());
        if (part == null) {
            throw new IllegalStateException("asked for a parameter that is not supported");
        }
        return part.apply(test(context));
    }

    private TestOutbox test(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        TestOutbox test = store.get(this, TestOutbox.class);
        if (test == null) {
            test = settings.apply(TestOutbox.configure()).build();
            store.put(this, test);
        }
        return test;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestOutbox test = context.getStore(NAMESPACE).remove(this, TestOutbox.class);
        if (test != null) {
            test.close();
        }
    }
}
