package dev.postroom.spring.boot3;

import dev.postroom.spring.boot.AdminContract;

class AdminTest extends AdminContract {}
