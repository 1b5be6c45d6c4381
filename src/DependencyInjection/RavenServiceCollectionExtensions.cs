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
}
