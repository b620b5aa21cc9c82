package dev.postroom.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestExecutionListeners;
import org.springframework.test.context.TestPropertySource;

/**
 * A Spring Boot test whose application delivers when the test says so, and to memory. No relay runs; every destination of the
 * application's settings records what it gets, and so do {@code Handlers} beans, which are called besides. Before each test
 * the outbox is emptied. Inject a {@link dev.postroom.testkit.TestOutbox} and call {@code drain()}.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigurePostroomTest
 * class OrdersTest {
 *     @Autowired TestOutbox outbox;
 *     …
 * }
 * }</pre>
 *
 * <p>Not for tests that run in a transaction ({@code @Transactional}): nothing of what they publish is ever committed.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@TestPropertySource(properties = "postroom.relay.enabled=false")
@ImportAutoConfiguration(PostroomTestAutoConfiguration.class)
@TestExecutionListeners(
        listeners = EmptyOutboxBeforeTest.class,
        mergeMode = TestExecutionListeners.MergeMode.MERGE_WITH_DEFAULTS)
public @interface AutoConfigurePostroomTest {}
