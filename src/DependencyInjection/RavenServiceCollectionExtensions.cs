using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Raven.Client.Documents;

namespace Raven.DependencyInjection;

/// <summary>Registers the client.</summary>
public static class RavenServiceCollectionExtensions
{
    /// <summary>
    /// Registers a store for the application, a session of either kind for each scope (a request, in a web
    /// application), and a health check named <c>raven</c>.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="configure">Sets urls, database and conventions; the store is initialized after it.</param>
    public static IServiceCollection AddRaven(this IServiceCollection services, Action<DocumentStore> configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configure);
        services.AddSingleton<IDocumentStore>(_ =>
        {
            var store = new DocumentStore();
            configure(store);
            return store.Initialize();
        });
        services.AddScoped(provider => provider.GetRequiredService<IDocumentStore>().OpenAsyncSession());
        services.AddScoped(provider => provider.GetRequiredService<IDocumentStore>().OpenSession());
        services.AddHealthChecks().AddCheck<RavenHealthCheck>("raven");
        return services;
    }

    /// <summary>
    /// Registers the same with a store that a section of the configuration describes, as <see cref="RavenOptions"/>
    /// does.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="section">The section, such as <c>configuration.GetSection("Raven")</c>. It is read when the store
    /// is needed first.</param>
    /// <param name="configure">Sets what the section does not say, such as conventions; null for nothing.</param>
    public static IServiceCollection AddRaven(
        this IServiceCollection services, IConfiguration section, Action<DocumentStore>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddRaven(store =>
        {
            RavenOptions options = section.Get<RavenOptions>() ?? new RavenOptions();
            store.Urls = [.. options.Urls];
            store.Database = options.Database;
            store.ApiKey = string.IsNullOrEmpty(options.ApiKey) ? null : options.ApiKey;
            store.CertificateAuthorities = CertificateFiles.ReadAuthorities(options.CertificateAuthorities);
            if (CertificateFiles.Read(options.Certificate) is { } certificate)
            {
                store.Certificate = certificate;
                store.AfterDispose += (_, _) => certificate.Dispose();
            }

            configure?.Invoke(store);
        });
    }
}
