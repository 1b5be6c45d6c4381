using System.Diagnostics.CodeAnalysis;
using Raven.Client.Exceptions;

namespace Raven.Client.Documents.Session;

/// <summary>
/// The identity map of a session: one object for each id; besides, documents that were included, and ids that are known
/// to be missing. Ids that differ only in case are the same.
/// </summary>
internal sealed class SessionDocuments
{
    private readonly Dictionary<string, DocumentInfo> _byId = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<object, DocumentInfo> _byEntity = new(ReferenceEqualityComparer.Instance);
    private Dictionary<string, ReadOnlyMemory<byte>>? _included;
    private HashSet<string>? _missing;

    internal IReadOnlyCollection<DocumentInfo> All => _byEntity.Values;

    /// <summary>
    /// Documents that will be deleted without having been loaded, with the change vector that they must have.
    /// </summary>
    internal Dictionary<string, string?> DeletedIds => field ??= new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Makes room for documents of the next answer.</summary>
    internal void Expect(int count)
    {
        _byId.EnsureCapacity(_byId.Count + count);
        _byEntity.EnsureCapacity(_byEntity.Count + count);
    }

    internal static bool IsCompletedByServer(string id) => id.EndsWith('/') || id.EndsWith('|');

    internal DocumentInfo? Find(string id) => _byId.GetValueOrDefault(id);

    internal DocumentInfo? Find(object entity) => _byEntity.GetValueOrDefault(entity);

    internal bool TryGetIncluded(string id, out ReadOnlyMemory<byte> document)
    {
        document = default;
        return _included?.TryGetValue(id, out document) == true;
    }

    /// <summary>Whether a load of this id needs no request.</summary>
    internal bool IsKnown(string id) =>
        _byId.ContainsKey(id) || _included?.ContainsKey(id) == true || _missing?.Contains(id) == true
        || DeletedIds.ContainsKey(id);

    /// <summary>Keeps a document that was included and not yet loaded; an empty one is known to be missing.</summary>
    internal void Include(string id, ReadOnlyMemory<byte> document)
    {
        if (document.IsEmpty)
        {
            SetMissing(id);
        }
        else if (!_byId.ContainsKey(id))
        {
            _included ??= new(StringComparer.OrdinalIgnoreCase);
            _included[id] = document;
            _missing?.Remove(id);
        }
    }

    internal void SetMissing(string id)
    {
        if (!_byId.ContainsKey(id))
        {
            _missing ??= new(StringComparer.OrdinalIgnoreCase);
            _missing.Add(id);
        }
    }

    internal void Add(DocumentInfo info)
    {
        _byEntity.Add(info.Entity, info);
        AddId(info);
    }

    /// <summary>Takes an entity that is new to the session.</summary>
    /// <exception cref="NonUniqueObjectException">The id is that of another object.</exception>
    internal void AddNew(DocumentInfo info)
    {
        if (_byId.TryGetValue(info.Id, out DocumentInfo? other) && !IsCompletedByServer(info.Id))
        {
            throw new NonUniqueObjectException(
                $"The session already has another object for '{info.Id}' ({other.Entity.GetType().Name}). Change that "
                + "one, or evict it first.");
        }

        Add(info);
        DeletedIds.Remove(info.Id);
    }

    internal void Remove(DocumentInfo info)
    {
        _byEntity.Remove(info.Entity);
        if (_byId.TryGetValue(info.Id, out DocumentInfo? known) && ReferenceEquals(known, info))
        {
            _byId.Remove(info.Id);
        }

        _included?.Remove(info.Id);
    }

    /// <summary>Sets the id that the server has made, after a save.</summary>
    internal void Rename(DocumentInfo info, string id)
    {
        if (_byId.TryGetValue(info.Id, out DocumentInfo? known) && ReferenceEquals(known, info))
        {
            _byId.Remove(info.Id);
        }

        info.Id = id;
        AddId(info);
    }

    internal void Clear()
    {
        _byId.Clear();
        _byEntity.Clear();
        _included?.Clear();
        _missing?.Clear();
        DeletedIds.Clear();
    }

    internal bool TryFind(string id, [NotNullWhen(true)] out DocumentInfo? info) => _byId.TryGetValue(id, out info);

    private void AddId(DocumentInfo info)
    {
        _missing?.Remove(info.Id);
        _included?.Remove(info.Id);
        if (!IsCompletedByServer(info.Id))
        {
            _byId[info.Id] = info;
        }
    }
}
