using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents;

/// <summary>
/// Ids in the order in which they first came, each once, in whatever case. One per request, used again: it allocates
/// only if it gets more ids than ever before. Its texts live in the context.
/// </summary>
public sealed class DistinctIds
{
    private readonly KeyMap _keys;
    private Arena? _arena;
    private NativeSlice[] _ids = new NativeSlice[16];

    /// <summary>Makes an empty list.</summary>
    /// <param name="hashSeed">Any number that clients do not know.</param>
    public DistinctIds(ulong hashSeed) => _keys = new KeyMap(hashSeed);

    /// <summary>How many different ids there are.</summary>
    public int Count => _keys.Count;

    /// <summary>An id as it was first spelled, UTF-8.</summary>
    public NativeSlice this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count);
            return _ids[index];
        }
    }

    /// <summary>Removes all ids, for the next request.</summary>
    /// <param name="context">The memory of the texts.</param>
    public void Reset(OperationContext context)
    {
        _arena = context.Arena;
        _keys.Clear();
    }

    /// <summary>The folded id, for <see cref="DocumentSnapshot.TryGetByKey"/>.</summary>
    public NativeSlice KeyOf(int index) => _keys[index];

    /// <summary>True if the id is in the list already.</summary>
    public bool Contains(ReadOnlySpan<byte> id)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        return DocumentId.TryFold(id, key, out int length, out _) && _keys.Find(key[..length]) >= 0;
    }

    /// <summary>Adds an id, if it is valid and not in the list yet.</summary>
    /// <returns>False if it is in the list already, or is not valid.</returns>
    public bool Add(ReadOnlySpan<byte> id)
    {
        Arena arena = _arena ?? throw new InvalidOperationException("The list has no context yet: call Reset first.");
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(id, key, out int length, out _) || _keys.Find(key[..length]) >= 0)
        {
            return false;
        }

        NativeSlice texts = arena.Allocate(length + id.Length);
        key[..length].CopyTo(texts.WritableSpan);
        id.CopyTo(texts.WritableSpan[length..]);
        int index = _keys.FindOrAdd(texts.Slice(0, length), out _);
        if (index >= _ids.Length)
        {
            Array.Resize(ref _ids, _ids.Length * 2);
        }

        _ids[index] = texts.Slice(length);
        return true;
    }
}
