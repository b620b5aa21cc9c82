package com.example.shop;

import java.util.UUID;

/** What a customer buys, and what the message about it says. */
public record Order(UUID id, String customer, long cents) {}
