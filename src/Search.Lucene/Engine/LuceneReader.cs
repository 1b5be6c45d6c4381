using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Blittable.Memory;
using Raven.Search.Automata;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Lucene.Engine.Files;
using Raven.Search.Lucene.Engine.Searchers;
using Raven.Search.Searchers;
using Raven.Search.Segments;
using Raven.Storage.Transactions;
using OfLucene = Lucene.Net.Index.IndexReader;

namespace Raven.Search.Lucene.Engine;

/// <summary>A snapshot of an index of Lucene: a reader of Lucene, and the transaction that has its files.</summary>
internal sealed class LuceneReader : IndexReader, ILuceneSnapshot, IOtherEngine
{
    private readonly StorageFiles _files = new();
    private readonly OfLucene _reader;
    private Arena? _arena;
    private Arena? _other;
    private ReadTransaction? _transaction;
    private int _copies;

    internal LuceneReader(LuceneIndex index, ReadTransaction transaction, OfLucene reader)
    {
        _transaction = transaction;
        _reader = reader;
        _files.Use(transaction);

        // Behind the snapshot, which must not have segments whose fields it does not know.
        Catalog = index.Catalog;
    }

    /// <inheritdoc/>
    public override int EntryCount => _reader.NumDocs;

    /// <inheritdoc/>
    public override int SegmentCount => _reader.Leaves.Count;

    /// <inheritdoc/>
    public OfLucene Reader => _reader;

    /// <inheritdoc/>
    internal override int EntryCountWithDeleted => _reader.MaxDoc;

    /// <inheritdoc/>
    public StorageFiles.Scope Enter() => _files.Enter();

    /// <inheritdoc/>
    public IndexField? FindField(string name) => Catalog.Find(name);

    /// <inheritdoc/>
    public bool HasLengthsOfTime(IndexField field) => HasDurations(field);

    /// <summary>
    /// Copies bytes into memory of the reader. The copy is valid until so many others have been made, which is more
    /// than callers hold, so that a long answer does not keep all of them.
    /// </summary>
    public NativeSlice Keep(BytesRef bytes)
    {
        const int CopiesMax = 256;
        if (bytes.Length == 0)
        {
            return default;
        }

        if (_copies++ == CopiesMax)
        {
            (_arena, _other) = (_other, _arena);
            _arena?.Reset();
            _copies = 1;
        }

        NativeSlice copy = (_arena ??= new Arena()).Allocate(bytes.Length);
        bytes.Bytes.AsSpan(bytes.Offset, bytes.Length).CopyTo(copy.WritableSpan);
        return copy;
    }

    /// <inheritdoc/>
    public EntrySearcher MakeSearcher() => new LuceneSearcher();

    /// <inheritdoc/>
    public EntryCounting MakeCounting() => new LuceneCounting();

    /// <inheritdoc/>
    public override void Dispose()
    {
        if (_transaction is not { } transaction)
        {
            return;
        }

        _transaction = null;
        try
        {
            using (_files.Enter())
            {
                _reader.DecRef();
            }
        }
        finally
        {
            _files.Use(null);
            transaction.Dispose();
            _arena?.Dispose();
            _other?.Dispose();
        }
    }

    /// <inheritdoc/>
    internal override bool HasDurations(IndexField field)
    {
        using (Enter())
        {
            return _reader.DocFreq(new Term(LuceneNames.Durations, field.Name)) > 0;
        }
    }

    /// <inheritdoc/>
    internal override long CountEntries(IndexField field, ReadOnlySpan<byte> term)
    {
        using (Enter())
        {
            return _reader.DocFreq(new Term(LuceneNames.Of(field), new BytesRef(term.ToArray())));
        }
    }

    /// <inheritdoc/>
    internal override IReadOnlyList<string> TermsOf(IndexField field, string from, int take)
    {
        using (Enter())
        {
            return new TermList(_reader, field).Page(from, take);
        }
    }

    /// <inheritdoc/>
    public void VisitNear(
        IndexField field, EditWord word, int changes, WordVisitor visit, CancellationToken cancellation)
    {
        using (Enter())
        {
            if (MultiFields.GetTerms(_reader, LuceneNames.Of(field)) is not { } terms)
            {
                return;
            }

            // The empty text is no word.
            TermsEnum found = terms.GetEnumerator();
            LuceneTerms cursor = new(found);
            bool isAny = cursor.SeekFirst([TermCode.Text, 0]);
            AutomatonWalk<FarAutomaton, FarState, LuceneTerms> walk = new();
            walk.Open(cursor, isAny, new FarAutomaton(word, changes), isWhole: true, cancellation);
            while (walk.MoveNext())
            {
                visit(walk.Term, found.DocFreq);
            }
        }
    }

    /// <inheritdoc/>
    public void VisitWords(IndexField field, WordVisitor visit, CancellationToken cancellation)
    {
        using (Enter())
        {
            if (MultiFields.GetTerms(_reader, LuceneNames.Of(field)) is not { } terms)
            {
                return;
            }

            TermsEnum cursor = terms.GetEnumerator();

            // The empty text is no word.
            bool isAny = cursor.SeekCeil(new BytesRef([TermCode.Text, 0])) != TermsEnum.SeekStatus.END;
            for (int i = 0; isAny; i++)
            {
                TermCancellation.Step(i, cancellation);
                ReadOnlySpan<byte> term = cursor.Term.AsSpan();
                if (term[0] != TermCode.Text)
                {
                    return;
                }

                visit(term, cursor.DocFreq);
                isAny = cursor.MoveNext();
            }
        }
    }
}
