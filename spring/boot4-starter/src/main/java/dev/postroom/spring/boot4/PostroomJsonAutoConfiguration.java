package dev.postroom.spring.boot4;

import dev.postroom.json3.Jackson3Codec;
import dev.postroom.spi.PayloadCodec;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/** Payloads are written and read as the rest of the application's JSON, by its own mapper, where it has one of Jackson 3. */
@AutoConfiguration(afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass({JsonMapper.class, Jackson3Codec.class})
public class PostroomJsonAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(PayloadCodec.class)
    @ConditionalOnSingleCandidate(JsonMapper.class)
    PayloadCodec postroomPayloadCodec(JsonMapper mapper) {
        return new Jackson3Codec(mapper);
    }
}
