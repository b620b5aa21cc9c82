package dev.postroom.spring.boot;

import dev.postroom.PostroomException;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** Says what is missing when the admin surface is asked for and cannot be there. */
@AutoConfiguration
@ConditionalOnMissingClass("dev.postroom.admin.Admin")
@ConditionalOnProperty(prefix = "postroom.admin", name = "enabled", havingValue = "true")
public class PostroomAdminMissing implements InitializingBean {

    @Override
    public void afterPropertiesSet() {
        throw new PostroomException(
                "postroom.admin.enabled is true, but postroom-admin is not on the class path: add it,"
                        + " or remove the setting");
    }
}
