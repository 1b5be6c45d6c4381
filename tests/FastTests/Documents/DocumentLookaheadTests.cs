using System.Globalization;
using Raven.Documents;

namespace FastTests.Documents;

/// <summary>Looking ahead changes nothing of what a walk gives.</summary>
public sealed class DocumentLookaheadTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(23)]
    public void A_lookahead_returns_all_documents_in_their_order(int count)
    {
        using TestDatabase documents = new();
        for (int i = 0; i < count; i++)
        {
            documents.Put($"d/{i}", $"{{\"X\":{i.ToString(CultureInfo.InvariantCulture)}}}");
        }

        using DocumentSnapshot snapshot = documents.Database.BeginRead();
        DocumentLookahead<DocumentCursor> ahead = new(snapshot.DocumentsByEtag(0));
        for (int i = 0; i < count; i++)
        {
            Assert.True(ahead.MoveNext(out StoredDocument document));
            Assert.Equal($"d/{i}", TestDatabase.Text(document.Id));
        }

        Assert.False(ahead.MoveNext(out _));
        Assert.False(ahead.MoveNext(out _));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5)]
    public void A_lookahead_reads_no_more_rows_than_its_limit(int most)
    {
        using TestDatabase documents = new();
        for (int i = 0; i < 9; i++)
        {
            documents.Put($"d/{i}", "{}");
        }

        using DocumentSnapshot snapshot = documents.Database.BeginRead();
        int looked = 0;
        DocumentLookahead<CountingCursor> ahead = new(
            new CountingCursor(snapshot.DocumentsByEtag(0), () => looked++), most);
        for (int i = 0; i < most; i++)
        {
            Assert.True(ahead.MoveNext(out StoredDocument document));
            Assert.Equal($"d/{i}", TestDatabase.Text(document.Id));
        }

        Assert.False(ahead.MoveNext(out _));
        Assert.Equal(most, looked);
    }

    private ref struct CountingCursor(DocumentCursor cursor, Action looked) : IDocumentCursor
    {
        private DocumentCursor _cursor = cursor;

        public bool MoveNext(out StoredDocument document)
        {
            looked();
            return _cursor.MoveNext(out document);
        }
    }
}
