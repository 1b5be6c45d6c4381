namespace FastTests.Security;

/// <summary>
/// A secured server whose bodies have few members, and whose databases few indexes of queries, for the tests of a
/// class.
/// </summary>
public sealed class LimitedServer : IDisposable
{
    internal const int PropertiesMax = 1000;

    internal const int AutoIndexesMax = 16;

    internal SecuredServer Secured { get; } = new(
        routes: null, configureServer: options => options with
        {
            PropertiesMax = PropertiesMax,
            Indexing = options.Indexing with { AutoIndexesMax = AutoIndexesMax },
        });

    public void Dispose() => Secured.Dispose();
}
