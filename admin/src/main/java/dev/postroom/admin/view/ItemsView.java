package dev.postroom.admin.view;

import java.util.List;

/** A list that is short by nature or was cut off. */
public record ItemsView<T>(List<T> items) {}
