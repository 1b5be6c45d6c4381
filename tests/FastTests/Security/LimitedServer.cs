namespace FastTests.Security;

/// <summary>A secured server whose bodies have few members, for the tests of a class.</summary>
public sealed class LimitedServer : IDisposable
{
    internal const int PropertiesMax = 1000;

    internal SecuredServer Secured { get; } = new(
        routes: null, configureServer: options => options with { PropertiesMax = PropertiesMax });

    public void Dispose() => Secured.Dispose();
}
