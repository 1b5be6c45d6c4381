using System.Text;
using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Segments;
using OfLucene = Lucene.Net.Index.IndexReader;

namespace Raven.Search.Lucene.Engine.Searchers;

/// <summary>Lists the terms of a field, as <see cref="IndexTerms"/> says it.</summary>
internal sealed class TermList
{
    private readonly TermsEnum? _walk;
    private readonly TermsEnum? _lookup;

    internal TermList(OfLucene reader, IndexField field)
    {
        Terms? terms = MultiFields.GetTerms(reader, LuceneNames.Of(field));
        _walk = terms?.GetEnumerator();
        _lookup = terms?.GetEnumerator();
    }

    internal IReadOnlyList<string> Page(string from, int take)
    {
        List<string> page = [];
        if (_walk is null || take <= 0)
        {
            return page;
        }

        byte[] behind = from.Length == 0 ? [] : PlaceOf(from);
        bool isAny = _walk.SeekCeil(new(behind)) != TermsEnum.SeekStatus.END;
        while (isAny && page.Count < take)
        {
            ReadOnlySpan<byte> term = _walk.Term.AsSpan();
            if (TermCode.IsShown(term) && term.SequenceCompareTo(behind) > 0 && !IsListedBefore(term))
            {
                page.Add(term is [TermCode.Text] ? IndexTerms.EmptyText : IndexTerms.TextOf(term, isWhole: true));
            }

            isAny = _walk.MoveNext();
        }

        return page;
    }

    /// <summary>The first term that a text stands for; if there is none, its place in the order.</summary>
    private byte[] PlaceOf(string from)
    {
        byte[] text = [TermCode.Text, .. Encoding.UTF8.GetBytes(from)];
        if (from == IndexTerms.EmptyText && IsThere([TermCode.Text]))
        {
            return [TermCode.Text];
        }

        byte[] value = IndexTerms.ValueOf(text.AsSpan(1));
        bool isShownSo = value.Length > 0 && IndexTerms.TextOf(value, isWhole: true) == from;
        if (isShownSo && IsThere(value))
        {
            return value;
        }

        if (FindPlaceOnEarth(from) is { } place)
        {
            return place;
        }

        return value.Length == 0 || IsThere(text) || !HasKind(value[0]) ? text : value;
    }

    /// <summary>Whether a text is also that of another term, which comes before it in the list.</summary>
    private bool IsListedBefore(ReadOnlySpan<byte> term) =>
        term[0] == TermCode.Text && (term[1..].SequenceEqual("EMPTY_STRING"u8)
            ? IsThere([TermCode.Text])
            : IndexTerms.ValueOf(term[1..]) is { Length: > 0 } value && IsThere(value)
                && IndexTerms.TextOf(value, isWhole: true) == IndexTerms.TextOf(term, isWhole: true));

    private bool IsThere(byte[] term) => _lookup!.SeekExact(new BytesRef(term));

    private bool HasKind(byte kind) => _lookup!.SeekCeil(new([kind])) != TermsEnum.SeekStatus.END
        && _lookup.Term.AsSpan()[0] == kind;

    /// <summary>The first of the points and shapes that is shown as a text; they are not ordered as texts.</summary>
    private byte[]? FindPlaceOnEarth(string from)
    {
        foreach (byte kind in (ReadOnlySpan<byte>)[TermCode.Point, TermCode.Shape])
        {
            bool isAny = _lookup!.SeekCeil(new([kind])) != TermsEnum.SeekStatus.END;
            while (isAny && _lookup.Term.AsSpan()[0] == kind)
            {
                if (IndexTerms.TextOf(_lookup.Term.AsSpan(), isWhole: true) == from)
                {
                    return _lookup.Term.AsSpan().ToArray();
                }

                isAny = _lookup.MoveNext();
            }
        }

        return null;
    }
}
