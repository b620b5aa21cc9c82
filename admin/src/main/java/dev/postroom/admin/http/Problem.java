package dev.postroom.admin.http;

import dev.postroom.admin.view.ProblemView;
import java.util.Locale;

/** The kinds of refusals. */
public enum Problem {
    BAD_REQUEST(400, "The request makes no sense"),
    UNAUTHORIZED(401, "Sign in first"),
    FORBIDDEN(403, "Not allowed"),
    NOT_FOUND(404, "There is no such thing"),
    METHOD_NOT_ALLOWED(405, "Not with this method"),
    NOT_ACCEPTABLE(406, "Not in the form that is asked for"),
    TIMEOUT(408, "The request took too long"),
    TOO_LARGE(413, "The request is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "Not in this form"),
    TOO_MANY_REQUESTS(429, "Too many tries"),
    INTERNAL_ERROR(500, "Something went wrong here"),
    NOT_IMPLEMENTED(501, "Not something that this server does"),
    BUSY(503, "Too much to do"),
    DATABASE(503, "The database could not do it");

    private final int status;
    private final String title;

    Problem(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** For a status that somebody else has chosen: that one, or the most general of its kind. */
    public static Problem of(int status) {
        for (Problem problem : values()) {
            if (problem.status == status) {
                return problem;
            }
        }
        return status < INTERNAL_ERROR.status ? BAD_REQUEST : INTERNAL_ERROR;
    }

    public int status() {
        return status;
    }

    public ProblemView view(String detail) {
        String type = "urn:postroom:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new ProblemView(type, title, status, detail);
    }
}
