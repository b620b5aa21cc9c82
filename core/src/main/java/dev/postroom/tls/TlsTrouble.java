package dev.postroom.tls;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Why there is no connection over TLS, and what to do; the words of Java's own errors tell neither. */
public final class TlsTrouble {
    private static final int DEEPEST = 16;
    private static final String ALERT = "received fatal alert: ";
    /** All that a peer says who wants a certificate and gets none, or one that it does not like. */
    private static final List<String> ABOUT_OUR_CERTIFICATE = List.of(
            "certificate_required",
            "bad_certificate",
            "certificate_unknown",
            "certificate_expired",
            "certificate_revoked",
            "unsupported_certificate",
            "unknown_ca",
            "access_denied");

    private TlsTrouble() {}

    /** Whether a handshake failed, so that nothing of what was to be sent was taken. */
    public static boolean isHandshake(Throwable failure) {
        return causes(failure).stream()
                .anyMatch(e -> e instanceof SSLHandshakeException || e instanceof SSLPeerUnverifiedException);
    }

    /** What happened and what to do, if TLS is what failed. */
    public static Optional<String> explain(Throwable failure) {
        return explain(failure, "tls.authorities", "tls.certificate and tls.private-key");
    }

    /**
     * The same for whom other settings decide.
     *
     * @param authorities where to say who is trusted
     * @param certificate where to say which certificate is shown
     */
    public static Optional<String> explain(Throwable failure, String authorities, String certificate) {
        List<Throwable> causes = causes(failure);
        if (causes.stream().noneMatch(e -> e instanceof SSLException || e instanceof CertificateException)) {
            return Optional.empty();
        }
        return Optional.of(ofTheirCertificate(causes, authorities)
                .or(() -> ofAlert(causes, certificate))
                .orElseGet(() -> "the TLS handshake failed: check that the port speaks TLS, and which versions ("
                        + text(causes) + ")"));
    }

    private static Optional<String> ofTheirCertificate(List<Throwable> causes, String authorities) {
        Optional<Throwable> expired = first(CertificateExpiredException.class, causes);
        if (expired.isPresent()) {
            return Optional.of("its certificate has expired: have it renewed there, and check this machine's clock ("
                    + expired.get().getMessage() + ")");
        }
        Optional<Throwable> early = first(CertificateNotYetValidException.class, causes);
        if (early.isPresent()) {
            return Optional.of("its certificate is not valid yet: check this machine's clock ("
                    + early.get().getMessage() + ")");
        }
        if (first(CertPathBuilderException.class, causes).isPresent()) {
            return Optional.of("its certificate is from an authority that is not trusted here: give that authority's"
                    + " certificate in " + authorities + ", unless this is the wrong server");
        }
        // Java's check of the name throws the plain class, and Apache's client the other.
        return causes.stream()
                .filter(e -> e.getClass() == CertificateException.class || e instanceof SSLPeerUnverifiedException)
                .findFirst()
                .map(e ->
                        "its certificate is for another name: use the name that the certificate has, or have one made for"
                                + " this name (" + e.getMessage() + ")");
    }

    private static Optional<String> ofAlert(List<Throwable> causes, String certificate) {
        for (Throwable e : causes) {
            String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            int at = text.indexOf(ALERT);
            if (at >= 0) {
                String alert = text.substring(at + ALERT.length()).strip();
                return ABOUT_OUR_CERTIFICATE.contains(alert)
                        ? Optional.of(
                                "it wants a certificate of ours, and got none or one that it does not accept: give"
                                        + " " + certificate + " from an authority that it trusts (" + alert + ")")
                        : Optional.of("it refused the TLS handshake: check which versions and certificates it wants ("
                                + alert + ")");
            }
        }
        return Optional.empty();
    }

    private static Optional<Throwable> first(Class<? extends Throwable> type, List<Throwable> causes) {
        return causes.stream().filter(type::isInstance).findFirst();
    }

    private static String text(List<Throwable> causes) {
        return causes.stream()
                .filter(SSLException.class::isInstance)
                .findFirst()
                .map(e -> String.valueOf(e.getMessage()))
                .orElse(causes.get(0).toString());
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable e = failure; e != null && causes.size() < DEEPEST; e = e.getCause()) {
            causes.add(e);
        }
        return causes;
    }
}
