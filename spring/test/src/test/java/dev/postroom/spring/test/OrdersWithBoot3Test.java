package dev.postroom.spring.test;

class OrdersWithBoot3Test extends OrdersContract {}
