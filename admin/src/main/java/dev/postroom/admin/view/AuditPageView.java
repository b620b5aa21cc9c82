package dev.postroom.admin.view;

import dev.postroom.operations.AuditEntry;
import java.util.List;

/** One page of the audit, newest first; the last one has fewer entries than a page holds. */
public record AuditPageView(List<AuditEntry> items, int page, int pageSize) {}
