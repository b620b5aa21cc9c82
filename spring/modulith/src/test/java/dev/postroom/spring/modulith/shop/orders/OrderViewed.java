package dev.postroom.spring.modulith.shop.orders;

/** Nobody outside needs to know. */
public record OrderViewed(String order) {}
