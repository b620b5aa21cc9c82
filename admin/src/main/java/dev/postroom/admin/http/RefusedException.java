package dev.postroom.admin.http;

/** Why a request is answered with a problem; the text goes to the caller. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Problem problem;

    public RefusedException(Problem problem, String detail) {
        super(detail, null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    public static RefusedException badRequest(String detail) {
        return new RefusedException(Problem.BAD_REQUEST, detail);
    }

    public static RefusedException notFound(String detail) {
        return new RefusedException(Problem.NOT_FOUND, detail);
    }

    public static RefusedException forbidden(String detail) {
        return new RefusedException(Problem.FORBIDDEN, detail);
    }
}
