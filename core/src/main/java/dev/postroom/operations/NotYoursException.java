package dev.postroom.operations;

import dev.postroom.PostroomException;

/** Somebody who is bound to tenants asked for what concerns others too. */
public final class NotYoursException extends PostroomException {
    private static final long serialVersionUID = 1L;

    private NotYoursException(String message) {
        super(message);
    }

    static NotYoursException concernsAll(String what, Tenants tenants) {
        return new NotYoursException(what + " concerns all tenants, and you are bound to " + tenants.describe()
                + ": ask somebody who is bound to none");
    }

    static NotYoursException otherTenant(String tenant, Tenants tenants) {
        return new NotYoursException((tenant.isEmpty() ? "no tenant was given" : "tenant '" + tenant + "' is not yours")
                + ": give one of " + tenants.describe());
    }
}
