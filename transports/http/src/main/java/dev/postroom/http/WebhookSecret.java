package dev.postroom.http;

import dev.postroom.PostroomException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A key that signs webhooks. Never shown. Immutable. */
final class WebhookSecret {
    /** What follows is base64, as the Standard Webhooks specification has it. */
    private static final String PREFIX = "whsec_";

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private WebhookSecret(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** A secret without the prefix is taken as it is, as UTF-8. */
    static WebhookSecret of(String text) {
        byte[] bytes = text.startsWith(PREFIX)
                ? decoded(text.substring(PREFIX.length()))
                : text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0) {
            throw new PostroomException("a webhook's secret must not be empty: give one of at least 24 random bytes,"
                    + " like whsec_ and their base64");
        }
        return new WebhookSecret(bytes);
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) { // its message would show a part of the secret
            throw new PostroomException("a webhook's secret that begins with " + PREFIX + " must go on in base64:"
                    + " correct it, give several as a list, or remove the prefix if the rest is to be taken as it is");
        }
    }

    /** The signature of one version of the scheme: {@code v1,} and the base64 of the HMAC. */
    String sign(byte[] signed, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(signed);
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return "WebhookSecret";
    }
}
