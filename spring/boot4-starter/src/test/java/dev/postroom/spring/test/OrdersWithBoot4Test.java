package dev.postroom.spring.test;

class OrdersWithBoot4Test extends OrdersContract {}
