package dev.postroom.spring.test;

import dev.postroom.PostroomException;
import dev.postroom.testkit.TestOutbox;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.transaction.TestTransaction;

/** Tests share an application context; they are not to share messages. */
final class EmptyOutboxBeforeTest implements TestExecutionListener, Ordered {
    /** After the one that begins a test's transaction (4000), and before the one that runs a test's SQL (5000). */
    private static final int ORDER = 4500;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        if (TestTransaction.isActive()) {
            throw new PostroomException("the test " + test.getTestMethod().getName() + " runs in a transaction that is"
                    + " rolled back, so nothing it publishes could be seen or delivered: remove @Transactional from it,"
                    + " or give it propagation = NOT_SUPPORTED");
        }
        BeanFactory beans = test.getApplicationContext();
        beans.getBean(TestOutbox.class).reset();
    }
}
