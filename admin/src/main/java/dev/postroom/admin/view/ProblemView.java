package dev.postroom.admin.view;

/** What is answered instead, as RFC 9457 wants it. */
public record ProblemView(String type, String title, int status, String detail) {}
