namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>A loaded store that several rows share: loaded for the first that is run, if any is.</summary>
internal sealed class LazyStore<TStore>(Func<TStore> load) : IDisposable
    where TStore : Store
{
    private readonly Lazy<TStore> _store = new(load);

    internal TStore Value => _store.Value;

    public void Dispose()
    {
        if (_store.IsValueCreated)
        {
            _store.Value.Dispose();
        }
    }
}
