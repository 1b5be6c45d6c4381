using System.Text;
using System.Text.Json;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>Documents as a client sends them: JSON in UTF-8, one behind the other in one array.</summary>
internal sealed class DocumentSet
{
    /// <summary>What one measured run goes through at least, so that small sets are not lost in the clock.</summary>
    private const int RunBytesMin = 6_000_000;

    private readonly byte[] _text;
    private readonly (int Start, int Length)[] _documents;
    private string[]? _strings;

    internal DocumentSet(string name, byte[] text, IEnumerable<(int Start, int Length)> documents)
    {
        Name = name;
        _text = text;
        _documents = [.. documents];
        Bytes = _documents.Sum(document => (long)document.Length);
    }

    internal string Name { get; }

    internal int Count => _documents.Length;

    internal long Bytes { get; }

    /// <summary>How often a run goes through the set.</summary>
    internal int Rounds => (int)Math.Max(1, RunBytesMin / Math.Max(1, Bytes));

    /// <summary>Bytes that a run goes through.</summary>
    internal long RunBytes => Bytes * Rounds;

    internal double BytesPerDocument => (double)Bytes / Count;

    /// <summary>The documents as strings: what Newtonsoft takes; decoding them is not part of its time.</summary>
    internal string[] Strings =>
        _strings ??= [.. _documents.Select(part => Encoding.UTF8.GetString(_text, part.Start, part.Length))];

    internal ReadOnlyMemory<byte> this[int index] =>
        _text.AsMemory(_documents[index].Start, _documents[index].Length);

    internal string Describe() => Count == 1
        ? $"{Name} (one of {Bytes / 1000.0:N0} KB)"
        : $"{Name} ({Count:N0} of {BytesPerDocument:N0} B)";

    /// <summary>The first documents, no more than so many bytes of them.</summary>
    internal DocumentSet Head(long bytesMax)
    {
        long bytes = 0;
        return new DocumentSet(Name, _text, _documents.TakeWhile(document => (bytes += document.Length) <= bytesMax));
    }

    /// <summary>
    /// A large document as many small ones: the objects, or else the arrays, of the depth that has most of them; null
    /// if there are not at least ten.
    /// </summary>
    internal DocumentSet? Split()
    {
        foreach (JsonTokenType start in (JsonTokenType[])[JsonTokenType.StartObject, JsonTokenType.StartArray])
        {
            List<(int Start, int Length)>[] byDepth = [.. Enumerable.Range(0, 65).Select(_ => new List<(int, int)>())];
            Utf8JsonReader reader = new(this[0].Span);
            Stack<int> starts = new();
            while (reader.Read())
            {
                if (reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
                {
                    starts.Push(reader.TokenType == start ? (int)reader.TokenStartIndex : -1);
                }
                else if (reader.TokenType is JsonTokenType.EndObject or JsonTokenType.EndArray
                    && starts.Pop() is var at and >= 0)
                {
                    byDepth[starts.Count].Add((at, (int)reader.BytesConsumed - at));
                }
            }

            List<(int Start, int Length)> most = byDepth.MaxBy(parts => parts.Count)!;
            if (most.Count >= 10)
            {
                return new DocumentSet(Name + " in pieces", _text, most);
            }
        }

        return null;
    }

    /// <summary>The same documents as one: <c>{"documents":[...]}</c>.</summary>
    internal DocumentSet AsOne()
    {
        using MemoryStream joined = new((int)Math.Min(Bytes + Count + 32, int.MaxValue));
        joined.Write("{\"documents\":["u8);
        for (int i = 0; i < Count; i++)
        {
            joined.Write(i == 0 ? ""u8 : ","u8);
            joined.Write(this[i].Span);
        }

        joined.Write("]}"u8);
        byte[] text = joined.ToArray();
        return new DocumentSet($"{Name} as one", text, [(0, text.Length)]);
    }
}
