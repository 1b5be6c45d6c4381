using System.Collections.Concurrent;
using Raven.Storage.Options;

namespace Raven.Documents.Catalog;

/// <summary>
/// The databases of a catalog that are being restored: they are invisible until they are whole, and a crash leaves
/// nothing of them. Any thread.
/// </summary>
public sealed class CatalogRestores
{
    private readonly DatabaseCatalog _catalog;
    private readonly ConcurrentDictionary<string, byte> _names = new(StringComparer.OrdinalIgnoreCase);

    internal CatalogRestores(DatabaseCatalog catalog) => _catalog = catalog;

    /// <summary>Whether a database of a name is being restored.</summary>
    public bool Has(string name) => _names.ContainsKey(name);

    /// <summary>Why no database of a name can be restored; null if one can be.</summary>
    public string? FindRefusal(string name) =>
        !DatabaseName.IsValid(name) ? $"'{name}' is not the name of a database."
        : _catalog.TryGet(name, out _) ? $"There is a database '{name}' already."
        : Has(name) ? $"A database '{name}' is being restored already."
        : _catalog.Attachments.HasKept(name)
            ? $"The files of a database '{name}' that was deleted are kept: create it again, or take another name."
            : null;

    /// <summary>Makes a database.</summary>
    /// <param name="name">Its name, which none has.</param>
    /// <param name="fill">Fills its folder with a whole environment.</param>
    /// <param name="record">Gives its record, after that.</param>
    /// <exception cref="RefusedException">The name is not valid, or taken.</exception>
    internal async Task RestoreAsync(string name, Func<StorageOptions, Task> fill, Func<byte[]> record)
    {
        if (FindRefusal(name) is { } refusal)
        {
            throw new RefusedException(RefusalReason.Argument, refusal);
        }

        if (!_names.TryAdd(name, 0))
        {
            throw new RefusedException(RefusalReason.Argument, $"A database '{name}' is being restored already.");
        }

        try
        {
            // It may have been made before the name was taken here; from now on none is (CAT-8).
            if (_catalog.TryGet(name, out _))
            {
                throw new RefusedException(RefusalReason.Argument, $"There is a database '{name}' already.");
            }

            await CopyAsync(name, fill, folder => _catalog.CompleteCopy(name, folder, record())).ConfigureAwait(false);
        }
        finally
        {
            _names.TryRemove(name, out _);
        }
    }

    /// <summary>Fills a folder that is removed afterwards.</summary>
    /// <param name="name">What it is a copy of.</param>
    /// <param name="fill">Fills it, and looks at it.</param>
    internal Task TryOutAsync(string name, Func<StorageOptions, Task> fill) =>
        CopyAsync(name, fill, folder => _catalog.DropCopy(folder));

    private async Task CopyAsync(string name, Func<StorageOptions, Task> fill, Action<string> complete)
    {
        string folder = _catalog.BeginCopy(name, out StorageOptions options);
        try
        {
            await fill(options).ConfigureAwait(false);
        }
        catch
        {
            _catalog.DropCopy(folder);
            throw;
        }

        complete(folder);
    }
}
