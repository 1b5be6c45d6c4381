using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Ids;

namespace Raven.Documents;

//   Customer                  a property that holds an id
//   Lines.Product             a path; arrays on the way are walked through, written Lines[].Product or not
//   Tags                      an array of ids
//   Prices.$Keys              the names of an object's properties
//   Refs.$Values.Id           their values, and on from there
//   CustomerNumber(people/)   "people/" and the value
//   Region[{0}/2026]          the value put in place of {0}

/// <summary>Finds the ids that a document refers to, by the path of an <c>include</c>. Allocates nothing.</summary>
public static class IncludePath
{
    private const int DepthMax = 128;

    /// <summary>Adds the ids that a path leads to. Other values, and texts that are no valid ids,
    /// are skipped.</summary>
    /// <param name="document">The document.</param>
    /// <param name="path">The path, UTF-8.</param>
    /// <param name="ids">Takes the ids.</param>
    public static void Collect(BlittableObject document, ReadOnlySpan<byte> path, DistinctIds ids)
    {
        ReadOnlySpan<byte> before = default;
        ReadOnlySpan<byte> after = default;
        if (!path.IsEmpty && path[^1] == (byte)')' && path.LastIndexOf((byte)'(') is >= 0 and int open)
        {
            before = path[(open + 1)..^1];
            path = path[..open];
        }
        else if (path.EndsWith("]"u8))
        {
            TrySplitFormat(ref path, ref before, ref after);
        }

        Walk(document.AsValue(), path, new Affixes(before, after), ids, 0);
    }

    /// <summary>Takes <c>[text{0}text]</c> off the end of the path.</summary>
    private static void TrySplitFormat(
        ref ReadOnlySpan<byte> path, ref ReadOnlySpan<byte> before, ref ReadOnlySpan<byte> after)
    {
        int open = path.LastIndexOf((byte)'[');
        ReadOnlySpan<byte> format = open < 0 ? default : path[(open + 1)..^1];
        int place = format.IndexOf("{0}"u8);
        if (place >= 0)
        {
            before = format[..place];
            after = format[(place + 3)..];
            path = path[..open];
        }
    }

    private static void Walk(
        BlittableValue value, ReadOnlySpan<byte> path, in Affixes affixes, DistinctIds ids, int depth)
    {
        if (depth > DepthMax)
        {
            return;
        }

        if (value.TryGetArray(out BlittableArray array))
        {
            for (int i = 0; i < array.Count; i++)
            {
                Walk(array[i], path, in affixes, ids, depth + 1);
            }

            return;
        }

        if (path.IsEmpty)
        {
            AddValue(value, in affixes, ids);
            return;
        }

        if (!value.TryGetObject(out BlittableObject parent))
        {
            return;
        }

        int dot = path.IndexOf((byte)'.');
        ReadOnlySpan<byte> name = dot < 0 ? path : path[..dot];
        ReadOnlySpan<byte> rest = dot < 0 ? default : path[(dot + 1)..];
        if (name.EndsWith("[]"u8))
        {
            name = name[..^2];
        }

        if (parent.TryGet(name, out BlittableValue child))
        {
            Walk(child, rest, in affixes, ids, depth + 1);
        }
        else if (name.SequenceEqual("$Values"u8))
        {
            for (int i = 0; i < parent.Count; i++)
            {
                Walk(parent.GetProperty(i).Value, rest, in affixes, ids, depth + 1);
            }
        }
        else if (name.SequenceEqual("$Keys"u8))
        {
            for (int i = 0; i < parent.Count; i++)
            {
                affixes.Add(parent.GetProperty(i).Name, ids);
            }
        }
    }

    private static void AddValue(BlittableValue value, in Affixes affixes, DistinctIds ids)
    {
        Span<byte> text = stackalloc byte[DocumentId.SizeBytesMax];
        if (value.Kind is ValueKind.Integer or ValueKind.Number)
        {
            if (value.TryFormatNumber(text, out int written))
            {
                affixes.Add(text[..written], ids);
            }
        }
        else if (value.Kind == ValueKind.String)
        {
            if (value.TryGetUtf8(out ReadOnlySpan<byte> plain))
            {
                affixes.Add(plain, ids);
            }
            else
            {
                AddCompressed(value, in affixes, ids);
            }
        }
    }

    private static void AddCompressed(BlittableValue value, in Affixes affixes, DistinctIds ids)
    {
        // The known length is only an upper bound: room for more than an id is needed.
        Span<byte> text = stackalloc byte[8 * DocumentId.SizeBytesMax];
        if (value.Utf8LengthMax <= text.Length)
        {
            affixes.Add(text[..value.CopyUtf8To(text)], ids);
        }
    }

    /// <summary>The texts before and after the value in the id.</summary>
    private readonly ref struct Affixes(ReadOnlySpan<byte> before, ReadOnlySpan<byte> after)
    {
        private readonly ReadOnlySpan<byte> _before = before;
        private readonly ReadOnlySpan<byte> _after = after;

        internal void Add(ReadOnlySpan<byte> value, DistinctIds ids)
        {
            if (value.IsEmpty || _before.Length + value.Length + _after.Length > DocumentId.SizeBytesMax)
            {
                return;
            }

            Span<byte> id = stackalloc byte[_before.Length + value.Length + _after.Length];
            _before.CopyTo(id);
            value.CopyTo(id[_before.Length..]);
            _after.CopyTo(id[(_before.Length + value.Length)..]);
            ids.Add(id);
        }
    }
}
