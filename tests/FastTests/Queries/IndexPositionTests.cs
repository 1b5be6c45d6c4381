using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Storage;

namespace FastTests.Queries;

/// <summary>What is on disk of an index beside its content.</summary>
public sealed class IndexPositionTests
{
    [Fact]
    public void An_index_position_has_the_bytes_of_version_3_and_other_versions_are_refused()
    {
        IndexPosition position = new(
            new Guid("5c1ba1b9-0b3c-4b0c-a9a0-8b8d5d6b4a3e"), 0x0102030405060708, 258, 3, 7, 9);
        byte[] bytes = new byte[IndexPosition.SizeBytes];
        position.WriteTo(bytes);
        Assert.Equal(
            "03" + "B9A11B5C3C0B0C4BA9A08B8D5D6B4A3E" + "0807060504030201" + "0201000000000000" + "0300000000000000"
            + "0700000000000000" + "0900000000000000",
            Convert.ToHexString(bytes));
        Assert.True(IndexPosition.TryRead(bytes, out IndexPosition read));
        Assert.Equal(position, read);
        bytes[0] = 2;
        Assert.False(IndexPosition.TryRead(bytes, out _));
        bytes[0] = 4;
        Assert.False(IndexPosition.TryRead(bytes, out _));
        Assert.False(IndexPosition.TryRead(bytes.AsSpan(1), out _));
    }

    [Fact]
    public void An_index_definition_is_read_back_unchanged_and_only_its_content_causes_a_rebuild()
    {
        IndexDefinition definition = new()
        {
            Name = "Users/ByName",
            Maps = ["from u in docs.Users select new { u.Name }"],
            Reduce = "from r in results group r by r.Name into g select new { Name = g.Key }",
            Fields = new Dictionary<string, IndexFieldOptions>
            {
                ["Name"] = new() { IsStored = true, Indexing = FieldIndexing.Search, Analyzer = "StandardAnalyzer" },
                ["At"] = new() { Spatial = "{\"Type\":\"Geography\"}", HasSuggestions = true, TermVector = "Yes" },
            },
            Configuration = new Dictionary<string, string> { ["a"] = "b" },
            AdditionalSources = new Dictionary<string, string> { ["file"] = "code" },
            LockMode = IndexLockMode.LockedError,
            Priority = IndexPriority.High,
            State = IndexState.Disabled,
            Type = IndexType.MapReduce,
            OutputReduceToCollection = "Names",
            AutoFields = [new AutoField("Name", true, false) { Aggregate = AggregateKind.Key }],
        };
        IndexDefinition read = IndexDefinitionJson.Parse(IndexDefinitionJson.ToBytes(definition).AsSpan());
        Assert.Equal(
            IndexDefinitionJson.ToBytes(definition with { AutoFields = [] }), IndexDefinitionJson.ToBytes(read));
        Assert.True(read.HasSameContent(definition with { AutoFields = [], Priority = IndexPriority.Low }));
        Assert.True(read.HasSameContent(
            definition with { AutoFields = [], Maps = ["  from u in docs.Users select new { u.Name }\r\n"] }));
        Assert.False(read.HasSameContent(definition with { AutoFields = [], Reduce = null }));
        Assert.False(read.HasSameContent(
            definition with { AutoFields = [], Fields = new Dictionary<string, IndexFieldOptions>() }));
    }
}
