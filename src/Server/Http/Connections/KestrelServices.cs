using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Raven.Server.Http.Connections;

/// <summary>
/// The services that Kestrel's TLS asks for: its own, registered as for a web host, and nothing of the host itself.
/// </summary>
internal sealed class KestrelServices : IWebHostBuilder
{
    private readonly ServiceCollection _services = [];

    private KestrelServices()
    {
    }

    /// <summary>Makes the services.</summary>
    /// <param name="loggers">Take Kestrel's log.</param>
    internal static ServiceProvider Create(ILoggerFactory loggers)
    {
        var builder = new KestrelServices();
        builder._services.AddSingleton(loggers).AddMetrics().AddOptions();
        builder.UseKestrelCore();
        return builder._services.BuildServiceProvider();
    }

    /// <inheritdoc/>
    public IWebHostBuilder ConfigureServices(Action<IServiceCollection> configureServices)
    {
        configureServices(_services);
        return this;
    }

    /// <inheritdoc/>
    public IWebHostBuilder ConfigureServices(Action<WebHostBuilderContext, IServiceCollection> configureServices)
    {
        configureServices(new WebHostBuilderContext(), _services);
        return this;
    }

    /// <inheritdoc/>
#pragma warning disable ASPDEPR008 // The interface has it; there is no other way to Kestrel's registrations.
    public IWebHost Build() => throw new NotSupportedException("There is no web host.");
#pragma warning restore ASPDEPR008

    /// <inheritdoc/>
    public IWebHostBuilder ConfigureAppConfiguration(
        Action<WebHostBuilderContext, IConfigurationBuilder> configureDelegate) => this;

    /// <inheritdoc/>
    public string? GetSetting(string key) => null;

    /// <inheritdoc/>
    public IWebHostBuilder UseSetting(string key, string? value) => this;
}
