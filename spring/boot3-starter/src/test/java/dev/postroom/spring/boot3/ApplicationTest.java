package dev.postroom.spring.boot3;

import dev.postroom.spring.boot.ApplicationContract;

class ApplicationTest extends ApplicationContract {}
