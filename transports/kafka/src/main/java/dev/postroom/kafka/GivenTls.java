package dev.postroom.kafka;

import dev.postroom.PostroomException;
import java.security.KeyStore;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.jspecify.annotations.Nullable;

/** Makes Kafka's clients use a context that they are given, in place of files that they would read once. */
public final class GivenTls implements SslEngineFactory {
    private static final String CONTEXT = "postroom.tls.context";
    private static final String PROTOCOL = CommonClientConfigs.SECURITY_PROTOCOL_CONFIG;
    private static final String ENCRYPTED = "SSL";
    private static final Set<String> PROTOCOLS = Set.of(ENCRYPTED, "SASL_SSL");

    private @Nullable SSLContext context;

    /** Made by Kafka's clients. */
    public GivenTls() {}

    /** @throws PostroomException when the properties would leave it unused */
    static void check(Map<String, String> properties) {
        String protocol = properties.getOrDefault(PROTOCOL, ENCRYPTED);
        if (!PROTOCOLS.contains(protocol)) {
            throw new PostroomException("tls is set, but the Kafka property " + PROTOCOL + " is " + protocol
                    + ", which is not encrypted: make it SSL or SASL_SSL, or remove tls");
        }
        for (String name : properties.keySet()) {
            if (name.startsWith("ssl.keystore.") || name.startsWith("ssl.truststore.")) {
                throw new PostroomException(
                        "tls and the Kafka property " + name + " say the same thing in two ways: remove one of them");
            }
        }
    }

    static void add(@Nullable SSLContext context, Map<String, Object> configuration) {
        if (context != null) {
            configuration.putIfAbsent(PROTOCOL, ENCRYPTED);
            configuration.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, GivenTls.class);
            configuration.put(CONTEXT, context);
        }
    }

    @Override
    public void configure(Map<String, ?> configuration) {
        context = (SSLContext) configuration.get(CONTEXT);
    }

    @Override
    public SSLEngine createClientSslEngine(String host, int port, @Nullable String identification) {
        if (context == null) {
            throw new IllegalStateException("no TLS context was given");
        }
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(identification);
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Override
    public SSLEngine createServerSslEngine(String host, int port) {
        throw new UnsupportedOperationException("this is for clients");
    }

    @Override
    public boolean shouldBeRebuilt(Map<String, Object> next) {
        return false;
    }

    @Override
    public Set<String> reconfigurableConfigs() {
        return Set.of();
    }

    @Override
    public @Nullable KeyStore keystore() {
        return null;
    }

    @Override
    public @Nullable KeyStore truststore() {
        return null;
    }

    @Override
    public void close() {}
}
