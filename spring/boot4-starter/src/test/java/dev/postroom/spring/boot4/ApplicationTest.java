package dev.postroom.spring.boot4;

import dev.postroom.spring.boot.ApplicationContract;

class ApplicationTest extends ApplicationContract {}
