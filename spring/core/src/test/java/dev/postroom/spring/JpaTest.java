package dev.postroom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.NoTransactionException;
import dev.postroom.outbox.Outbox;
import dev.postroom.testbed.Postgres;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.domain.AbstractAggregateRoot;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** The outbox in JPA transactions, with Hibernate, and the domain events of Spring Data's aggregates. */
@Tag("R2")
class JpaTest {
    private static Shop shop;
    private static AnnotationConfigApplicationContext context;
    private static Orders orders;

    @Entity
    @Table(name = "shop_order")
    static class PurchaseOrder extends AbstractAggregateRoot<PurchaseOrder> {
        @Id
        private String id;

        protected PurchaseOrder() {}

        PurchaseOrder(String id) {
            this.id = id;
        }

        PurchaseOrder place() {
            return andEvent(new OrderPlaced(id));
        }
    }

    @OutboxEvent(topic = "orders.placed", key = "order")
    record OrderPlaced(String order) {}

    interface PurchaseOrders extends JpaRepository<PurchaseOrder, String> {}

    static class Orders {
        @PersistenceContext
        private EntityManager entities;

        private final Outbox outbox;
        private final PurchaseOrders repository;

        Orders(Outbox outbox, PurchaseOrders repository) {
            this.outbox = outbox;
            this.repository = repository;
        }

        @Transactional
        public void place(String id) {
            entities.persist(new PurchaseOrder(id));
            outbox.publish(Message.to("orders").key(id).text("text/plain", id));
        }

        @Transactional
        public void placeAndFail(String id) {
            place(id);
            throw new IllegalStateException("failed");
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void placeApart(String id) {
            place(id);
        }

        @Transactional(readOnly = true)
        public void placeReadOnly(String id) {
            place(id);
        }

        @Transactional
        public void save(String id) {
            repository.save(new PurchaseOrder(id).place());
        }

        @Transactional
        public void saveAndFail(String id) {
            save(id);
            throw new IllegalStateException("failed");
        }

        @Transactional
        public void failAfterAnother(Orders self, String outer, String inner) {
            place(outer);
            self.placeApart(inner);
            throw new IllegalStateException("failed");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    @EnableJpaRepositories(
            considerNestedRepositories = true,
            includeFilters = @ComponentScan.Filter(type = FilterType.ASSIGNABLE_TYPE, classes = PurchaseOrders.class))
    static class Application {

        @Bean
        DataSource dataSource() {
            return shop.dataSource;
        }

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setManagedTypes(PersistenceManagedTypes.of(PurchaseOrder.class.getName()));
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "none"));
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }

        @Bean
        OutboxEventListener outboxEvents() {
            return new OutboxEventListener(() -> shop.outbox);
        }

        @Bean
        Orders orders(PurchaseOrders repository) {
            return new Orders(shop.outbox, repository);
        }
    }

    @BeforeAll
    static void open() {
        shop = new Shop(Postgres.newest().freshDatabase());
        context = new AnnotationConfigApplicationContext(Application.class);
        orders = context.getBean(Orders.class);
    }

    @AfterAll
    static void close() {
        context.close();
    }

    @BeforeEach
    void empty() {
        shop.empty();
    }

    @Test
    void message_and_entity_are_committed_together() {
        orders.place("1");
        assertThat(shop.orders()).containsExactly("1");
        assertThat(shop.messages()).containsExactly("1");
        assertThat(shop.hints).hasSize(1);
    }

    @Test
    void rollback_writes_neither_message_nor_entity() {
        assertThatThrownBy(() -> orders.placeAndFail("1")).hasMessage("failed");
        assertThat(shop.orders()).isEmpty();
        assertThat(shop.messages()).isEmpty();
        assertThat(shop.hints).isEmpty();
    }

    @Test
    void entity_that_is_refused_at_the_flush_takes_the_message_along() {
        orders.place("1");
        shop.jdbc.update("delete from postroom_message");
        assertThatThrownBy(() -> orders.place("1")).hasStackTraceContaining("duplicate key");
        assertThat(shop.messages()).isEmpty();
    }

    @Test
    void requires_new_is_a_transaction_of_its_own() {
        assertThatThrownBy(() -> orders.failAfterAnother(orders, "outer", "inner"))
                .hasMessage("failed");
        assertThat(shop.orders()).containsExactly("inner");
        assertThat(shop.messages()).containsExactly("inner");
        assertThat(shop.hints).hasSize(1);
    }

    @Test
    @Tag("R4")
    void read_only_transaction_is_refused_because_the_entity_would_not_be_written() {
        assertThatThrownBy(() -> orders.placeReadOnly("1"))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("read-only");
        assertThat(shop.messages()).isEmpty();
    }

    @Test
    void domain_events_of_an_aggregate_are_written_with_it() {
        orders.save("1");
        assertThat(shop.orders()).containsExactly("1");
        assertThat(shop.messages()).containsExactly("1");
    }

    @Test
    void domain_events_of_an_aggregate_that_is_rolled_back_are_not() {
        assertThatThrownBy(() -> orders.saveAndFail("1")).hasMessage("failed");
        assertThat(shop.orders()).isEmpty();
        assertThat(shop.messages()).isEmpty();
    }
}
