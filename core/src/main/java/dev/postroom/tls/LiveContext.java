package dev.postroom.tls;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * One context whose trust and certificate may change: brokers' clients take a context when they are made, and keep it. Each
 * handshake asks anew.
 */
public final class LiveContext {
    /** A resumed session is not checked again, so this is how long somebody who is no longer trusted may still be. */
    private static final int SESSION_SECONDS = 60;

    private LiveContext() {}

    /** A context that asks these at every handshake. They may be asked by several threads at once. */
    public static SSLContext of(Supplier<TrustManager[]> trust, Supplier<KeyManager[]> keys) {
        LiveTrust trusted = new LiveTrust(() -> only(X509ExtendedTrustManager.class, trust.get()));
        LiveKeys shown = new LiveKeys(() -> only(X509ExtendedKeyManager.class, keys.get()));
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {shown}, new TrustManager[] {trusted}, null);
            context.getClientSessionContext().setSessionTimeout(SESSION_SECONDS);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }

    private static <T> T only(Class<T> type, Object[] managers) {
        return Arrays.stream(managers)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no " + type.getSimpleName()));
    }
}
