using System.Runtime.InteropServices;
using Lucene.Net.Util;

namespace Raven.Search.Lucene.Engine.Fields;

/// <summary>A term of an entry.</summary>
/// <param name="Start">Where its bytes begin.</param>
/// <param name="Length">How many it has.</param>
/// <param name="Position">Its place in the text.</param>
internal readonly record struct EntryTerm(int Start, int Length, int Position);

/// <summary>The terms of one field of an entry, by their positions.</summary>
internal sealed class EntryTerms
{
    private readonly List<EntryTerm> _terms = [];
    private byte[] _bytes = [];
    private int _used;

    /// <summary>How many terms there are.</summary>
    internal int Count => _terms.Count;

    /// <summary>The bytes of all of them.</summary>
    internal byte[] Bytes => _bytes;

    /// <summary>How many bytes they take.</summary>
    internal int SizeInBytes => _used + (_terms.Count * 12);

    /// <summary>How many words the texts of the field have so far.</summary>
    internal int WordCount { get; set; }

    /// <summary>The position behind the last text; 0 if there was none.</summary>
    internal int NextPosition { get; set; }

    internal ref readonly EntryTerm this[int term] => ref CollectionsMarshal.AsSpan(_terms)[term];

    /// <summary>Adds a term that comes behind the others.</summary>
    internal void Add(ReadOnlySpan<byte> term, int position) => _terms.Add(Copy(term, position));

    /// <summary>Adds a value that has no place in a text: before all words.</summary>
    internal void AddFirst(ReadOnlySpan<byte> term) => _terms.Insert(0, Copy(term, 0));

    internal BytesRef BytesOf(in EntryTerm term) => new(_bytes, term.Start, term.Length);

    private EntryTerm Copy(ReadOnlySpan<byte> term, int position)
    {
        if (_bytes.Length - _used < term.Length)
        {
            Array.Resize(ref _bytes, Math.Max(_used + term.Length, Math.Min(2 * _used, Array.MaxLength)));
        }

        term.CopyTo(_bytes.AsSpan(_used));
        _used += term.Length;
        return new EntryTerm(_used - term.Length, term.Length, position);
    }
}
