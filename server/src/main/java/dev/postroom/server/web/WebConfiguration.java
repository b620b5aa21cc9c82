package dev.postroom.server.web;

import dev.postroom.admin.Admin;
import dev.postroom.admin.http.Answers;
import dev.postroom.admin.http.Problem;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.InstantSource;
import java.util.List;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.handler.AbstractHandlerExceptionResolver;

/** What Spring runs: the admin surface, health, and who may use them. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class WebConfiguration {
    private static final long EIGHTH_OF_THE_HEAP = Runtime.getRuntime().maxMemory() / 8;

    /** What is nowhere else is nothing; Spring Boot's own files and pages are not served. */
    @Bean
    RouterFunction<ServerResponse> adminRoutes(Admin admin) {
        return admin.routes()
                .and(RouterFunctions.route(
                        request -> true,
                        request -> Answers.problem(Problem.NOT_FOUND, "there is nothing here: the page is at /")));
    }

    @Bean
    HealthIndicator postroomHealthIndicator(Admin admin) {
        return new OutboxHealthIndicator(admin);
    }

    @Bean
    HealthIndicator postroomDatabaseHealthIndicator(Admin admin) {
        return new OutboxHealthIndicator(admin).database();
    }

    /**
     * Spring Security says who it is; what they may do is checked by the admin surface for every endpoint. Requests from
     * other sites are refused there too, by what the browser says of them, so that there is no token to hand around.
     */
    @Bean
    SecurityFilterChain security(HttpSecurity http, AuthenticationManager manager, AdminSettings settings)
            throws Exception {
        http.csrf(AbstractHttpConfigurer::disable)
                .headers(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .anonymous(AbstractHttpConfigurer::disable)
                .authenticationManager(manager)
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.NEVER));
        if (settings.isOpen()) {
            http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll());
        } else {
            http.httpBasic(basic -> basic.authenticationEntryPoint(Refusal::signIn))
                    .exceptionHandling(handling -> handling.authenticationEntryPoint(Refusal::signIn)
                            .accessDeniedHandler((request, response, e) -> Refusal.write(
                                    response,
                                    Problem.FORBIDDEN,
                                    "this concerns all tenants: it is for those who are bound to none")))
                    .authorizeHttpRequests(
                            requests -> requests.requestMatchers("/actuator/health", "/actuator/health/**")
                                    .permitAll()
                                    .requestMatchers("/actuator/**")
                                    .hasRole(Roles.ALL_TENANTS)
                                    .anyRequest()
                                    .permitAll());
        }
        ProxyUsers proxyUsers = settings.entrance().proxyUsers();
        if (proxyUsers != null) {
            http.addFilterBefore(new ProxyUserFilter(proxyUsers), BasicAuthenticationFilter.class);
        }
        OidcSettings oidc = settings.entrance().oidc();
        if (oidc != null) {
            http.addFilterBefore(new OidcSignIn(oidc, InstantSource.system()), BasicAuthenticationFilter.class);
        }
        return http.build();
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> connections(AdminSettings settings) {
        return tomcat -> {
            tomcat.setProtocol(PunctualHttp.class.getName());
            tomcat.addEngineValves(new ProxyValve(settings.entrance().proxies()), new CutValve());
            tomcat.addContextCustomizers(context -> {
                ((StandardHost) context.getParent()).setErrorReportValveClass(ProblemReport.class.getName());
                context.setCookieProcessor(new CookiePaths());
            });
        };
    }

    /** Spring warns of every request that it cannot answer, and anybody can send those. */
    @Bean
    WebMvcConfigurer quietRefusals() {
        return new WebMvcConfigurer() {
            @Override
            public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
                for (HandlerExceptionResolver resolver : resolvers) {
                    if (resolver instanceof AbstractHandlerExceptionResolver warning) {
                        warning.setWarnLogCategory("");
                    }
                }
            }
        };
    }

    @Bean
    FilterRegistrationBean<HeaderFilter> headers() {
        FilterRegistrationBean<HeaderFilter> registration = new FilterRegistrationBean<>(new HeaderFilter());
        registration.addUrlPatterns("/actuator/*", "/actuator", "/error");
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 3);
        return registration;
    }

    @Bean
    FilterRegistrationBean<PathFilter> paths() {
        FilterRegistrationBean<PathFilter> registration = new FilterRegistrationBean<>(new PathFilter());
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 6);
        return registration;
    }

    @Bean
    FilterRegistrationBean<AnswerFilter> answers() {
        return first(new AnswerFilter(new UnsentAnswers(EIGHTH_OF_THE_HEAP)), 0);
    }

    @Bean
    FilterRegistrationBean<BodyFilter> bodies() {
        return first(new BodyFilter(new BodyBudget(EIGHTH_OF_THE_HEAP), BodyFilter.DEADLINE), 1);
    }

    @Bean
    FilterRegistrationBean<TurnFilter> turns(AdminSettings settings) {
        boolean slow = settings.users().stream().anyMatch(AdminUser::isHashed);
        return first(TurnFilter.of(slow, Runtime.getRuntime().availableProcessors()), 2);
    }

    /** Before all others, in this order, and again when a request goes on that has waited without a thread. */
    private static <T extends Filter> FilterRegistrationBean<T> first(T filter, int order) {
        FilterRegistrationBean<T> registration = new FilterRegistrationBean<>(filter);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + order);
        return registration;
    }

    @Bean
    FilterRegistrationBean<SessionAge> sessionAge(AdminSettings settings) {
        FilterRegistrationBean<SessionAge> registration =
                new FilterRegistrationBean<>(new SessionAge(settings.entrance().sessionAge(), System::nanoTime));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 5);
        return registration;
    }

    @Bean
    FilterRegistrationBean<LoopbackGuard> loopback(AdminSettings settings) {
        FilterRegistrationBean<LoopbackGuard> registration = new FilterRegistrationBean<>(new LoopbackGuard());
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 4);
        registration.setEnabled(settings.isOpen());
        return registration;
    }
}
