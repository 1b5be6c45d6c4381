using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Documents;

namespace Raven.Server.Http;

/// <summary>
/// Follows include paths through documents: <c>Company</c>, <c>Lines.Product</c>, <c>Lines[].Product</c> (every element
/// of a list is followed with or without the brackets). A text at the end of a path is an id; <c>Path(prefix/)</c>
/// puts a prefix before it. What is not a text, or no id, names no document.
/// </summary>
internal readonly ref struct IncludeCollector
{
    private readonly OperationContext _context;
    private readonly DocumentsPage _page;
    private readonly DocumentSnapshot _snapshot;

    internal IncludeCollector(OperationContext context, DocumentsPage page, DocumentSnapshot snapshot)
    {
        _context = context;
        _page = page;
        _snapshot = snapshot;
    }

    /// <summary>Includes what a document names under the paths.</summary>
    internal void Collect(BlittableObject document, List<NativeSlice> paths)
    {
        foreach (NativeSlice path in paths)
        {
            ReadOnlySpan<byte> text = path.Span;
            ReadOnlySpan<byte> prefix = default;
            int open = text.IndexOf((byte)'(');
            if (open > 0 && text[^1] == ')')
            {
                prefix = text[(open + 1)..^1];
                text = text[..open];
            }

            Follow(document.AsValue(), text, prefix);
        }
    }

    private void Follow(BlittableValue value, ReadOnlySpan<byte> path, ReadOnlySpan<byte> prefix)
    {
        if (value.TryGetArray(out BlittableArray list))
        {
            for (int i = 0; i < list.Count; i++)
            {
                Follow(list[i], path, prefix);
            }

            return;
        }

        if (path.IsEmpty)
        {
            Include(value, prefix);
            return;
        }

        int dot = path.IndexOf((byte)'.');
        ReadOnlySpan<byte> name = dot < 0 ? path : path[..dot];
        ReadOnlySpan<byte> rest = dot < 0 ? default : path[(dot + 1)..];
        if (name.EndsWith("[]"u8))
        {
            name = name[..^2];
        }

        if (value.TryGetObject(out BlittableObject members) && members.TryGet(name, out BlittableValue next))
        {
            Follow(next, rest, prefix);
        }
    }

    private void Include(BlittableValue value, ReadOnlySpan<byte> prefix)
    {
        if (value.Kind != ValueKind.String)
        {
            return;
        }

        ReadOnlySpan<byte> id = Utf8Text.Of(value, _context);
        if (prefix.IsEmpty)
        {
            _page.Include(_context, _snapshot, id);
            return;
        }

        NativeSlice prefixed = _context.Arena.Allocate(prefix.Length + id.Length);
        prefix.CopyTo(prefixed.WritableSpan);
        id.CopyTo(prefixed.WritableSpan[prefix.Length..]);
        _page.Include(_context, _snapshot, prefixed.Span);
    }
}
