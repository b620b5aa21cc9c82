package com.example.listeners3;

/** What the shop publishes, as this application wants to see it. */
public record OrderPlaced(String order, long cents, String note) {}
