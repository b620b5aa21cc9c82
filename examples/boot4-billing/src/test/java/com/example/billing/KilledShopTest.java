package com.example.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.shop.ShopApplication;
import dev.postroom.testbed.RabbitMqBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two shops place orders and two billings write invoices, each in a process of its own, and one after the other is killed in
 * the middle of its work. At the end there is one invoice for each order that was committed, and none for
 * one that was not.
 */
@Tag("R20")
@Tag("R40")
@Tag("I11")
class KilledShopTest {
    private static final int MOST_WORK_IN_A_LIFE = 20;
    private static final Duration LONG = Duration.ofMinutes(3);

    private final long seed = Long.getLong("postroom.kills.seed", System.nanoTime());
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    @TempDir
    Path folder;

    @Test
    @Timeout(600)
    void every_order_has_one_invoice_and_a_refused_one_has_none_after_each_was_killed_once() throws Exception {
        everyOrderHasOneInvoiceAfter(4);
    }

    @Test
    @Tag("long")
    @Timeout(1800)
    void every_order_has_one_invoice_and_a_refused_one_has_none_after_fifty_kills() throws Exception {
        everyOrderHasOneInvoiceAfter(50);
    }

    private void everyOrderHasOneInvoiceAfter(int kills) throws Exception {
        System.out.println("repeat with -Dpostroom.kills.seed=" + seed);
        try (Market market = new Market(RabbitMqBroker.shared())) {
            Path shopClasses = folder.resolve("shop.jsa");
            Path billingClasses = folder.resolve("billing.jsa");
            Program shop = shop(market);
            Program billing = billing(market);
            firstLife(shop.archivingTo(shopClasses), billing.archivingTo(billingClasses));
            kill(kills, market, shop.archivedIn(shopClasses), billing.archivedIn(billingClasses));
            compare(market);
        }
    }

    /** Makes the tables, once and not by two at once, and the archives of classes. */
    private void firstLife(Program shop, Program billing) throws Exception {
        try (Victim seller = new Victim("shop", shop, "placed", this::hear);
                Victim accountant = new Victim("billing", billing, "invoiced", this::hear)) {
            seller.awaitWork(1);
            accountant.awaitWork(1);
            seller.stop();
            accountant.stop();
        }
    }

    private void kill(int kills, Market market, Program shop, Program billing) throws Exception {
        try (Victim shop1 = new Victim("shop-1", shop, "placed", this::hear);
                Victim billing1 = new Victim("billing-1", billing, "invoiced", this::hear);
                Victim shop2 = new Victim("shop-2", shop, "placed", this::hear);
                Victim billing2 = new Victim("billing-2", billing, "invoiced", this::hear)) {
            killInTurn(kills, List.of(shop1, billing1, shop2, billing2));
            await().alias("an order was refused").atMost(LONG).until(() -> !refused.isEmpty());
            shop1.stop();
            shop2.stop();
            drain(market, shop);
            billing1.stop();
            billing2.stop();
        }
    }

    private void hear(String line) {
        if (line.startsWith("refused ")) {
            refused.add(line.substring("refused ".length()));
        }
    }

    /** In turn, so that each has time to start again; when in its life is up to chance, also before it has done anything. */
    private void killInTurn(int kills, List<Victim> victims) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < kills; i++) {
            victims.get(i % victims.size()).killAfter(random.nextInt(MOST_WORK_IN_A_LIFE));
        }
    }

    /** A shop that sells nothing any more delivers what is left, and billing works it off. */
    private static void drain(Market market, Program shop) throws Exception {
        try (Victim last = new Victim("shop-closed", shop.with("--shop.open=false"), "placed", line -> {})) {
            await().alias("the shop's outbox is empty").atMost(LONG).until(() -> market.undelivered() == 0);
            await().alias("billing has worked off its queue").atMost(LONG).until(() -> market.queued() == 0);
            await().alias("no order is without an invoice")
                    .atMost(LONG)
                    .until(() -> market.invoices().size() >= market.orders().size());
            last.stop();
        }
    }

    private void compare(Market market) throws Exception {
        List<String> orders = market.orders();
        List<String> invoices = market.invoices();
        System.out.println(orders.size() + " orders, " + refused.size() + " refused");
        assertThat(market.queued())
                .as("what was not acknowledged would be back in the queue")
                .isZero();
        assertThat(market.deadLetters()).isZero();
        assertThat(invoices).as("invoices").doesNotHaveDuplicates();
        assertThat(new HashSet<>(invoices)).as("invoices").isEqualTo(new HashSet<>(orders));
        assertThat(refused).isNotEmpty().doesNotContainAnyElementsOf(invoices);
    }

    private Program shop(Market market) throws IOException {
        return Program.of(
                ShopApplication.class,
                new Jars(folder).classPath(ShopApplication.class, BillingApplication.class),
                market.settings(
                        market.shopDatabase(),
                        "--postroom.destinations.rabbit.uri=" + market.brokerUri(),
                        "--postroom.destinations.rabbit.exchange=" + market.exchange(),
                        "--postroom.relay.lease=2s",
                        // The kills come from outside: no message is to blame for them, however often it is hit.
                        "--postroom.relay.max-crashes=1000",
                        "--shop.pause=20ms"));
    }

    private Program billing(Market market) throws IOException {
        return Program.of(
                BillingApplication.class,
                new Jars(folder).classPath(BillingApplication.class, ShopApplication.class),
                market.settings(
                        market.billingDatabase(),
                        "--billing.rabbitmq=" + market.brokerUri(),
                        "--billing.exchange=" + market.exchange(),
                        "--billing.queue=" + market.queue()));
    }
}
