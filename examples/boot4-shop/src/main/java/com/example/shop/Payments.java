package com.example.shop;

import org.springframework.stereotype.Component;

/** Refuses every order of a round sum, so that something is rolled back now and then. */
@Component
class Payments {
    void take(Order order) {
        if (order.cents() % 10 == 0) {
            throw new RefusedException("the payment of " + order.cents() + " cents was refused");
        }
    }

    static final class RefusedException extends RuntimeException {
        RefusedException(String message) {
            super(message);
        }
    }
}
