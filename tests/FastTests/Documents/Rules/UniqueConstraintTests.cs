using System.Text;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Settings;

namespace FastTests.Documents.Rules;

/// <summary>Values that only one document may have, in the transaction of the documents.</summary>
public sealed class UniqueConstraintTests : IDisposable
{
    private const string Users = ""","@metadata":{"@collection":"Users"}}""";

    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Theory]
    [InlineData("1", "1.0", true)]
    [InlineData("1", "10e-1", true)]
    [InlineData("0", "-0.0", true)]
    [InlineData("1", "\"1\"", false)]
    [InlineData("0.1", "0.10000000000000000001", false)]
    [InlineData("9007199254740993", "9007199254740992", false)]
    [InlineData("123456789012345678901234567890", "123456789012345678901234567891", false)]
    [InlineData("123456789012345678901234567890", "1.2345678901234567890123456789e29", true)]
    [InlineData("1e400", "10e399", true)]
    [InlineData("1e400", "1e401", false)]
    [InlineData("\"a\"", "\"A\"", false)]
    [InlineData("null", "null", false)]
    [InlineData("true", "true", true)]
    [InlineData("true", "false", false)]
    [InlineData("[1,2]", "[1.0,2]", true)]
    [InlineData("[1,2]", "[2,1]", false)]
    [InlineData("{\"A\":1,\"B\":null}", "{\"B\":null,\"A\":1}", true)]
    [InlineData("{\"A\":1}", "{\"A\":1,\"B\":null}", false)]
    [InlineData("\"\"", "\"\"", true)]
    public async Task Two_values_are_one_if_they_are_equal(string one, string other, bool isConflict)
    {
        await ConfigureAsync("""{"Name":"N","Fields":["V"]}""");
        _database.Put("users/1", $$"""{"V":{{one}}{{Users}}""");
        Assert.Equal(isConflict, !TryPut("users/2", $$"""{"V":{{other}}{{Users}}"""));
        UniqueCheck.Verify(_database.Database, one);
    }

    [Theory]
    [InlineData("straße", "STRASSE", false)]
    [InlineData("élan", "ÉLAN", true)]
    [InlineData("Kelvin", "\u212aELVIN", true)]
    [InlineData("a@b", "A@B", true)]
    public async Task Case_is_ignored_if_the_constraint_says_so(string one, string other, bool isConflict)
    {
        await ConfigureAsync("""{"Name":"N","Fields":["V"],"IgnoreCase":true}""");
        _database.Put("users/1", $$"""{"V":"{{one}}"{{Users}}""");
        Assert.Equal(isConflict, !TryPut("users/2", $$"""{"V":"{{other}}"{{Users}}"""));
    }

    [Fact]
    public async Task Long_values_are_compared_whole()
    {
        await ConfigureAsync("""{"Name":"N","Fields":["V"]}""");
        string same = new('x', 5000);
        _database.Put("users/1", $$"""{"V":"{{same}}a"{{Users}}""");
        Assert.True(TryPut("users/2", $$"""{"V":"{{same}}b"{{Users}}"""));
        Assert.False(TryPut("users/3", $$"""{"V":"{{same}}a"{{Users}}"""));
        Assert.EndsWith("...", _database.Batch.Failure.Unique!.Values[0], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "UNIQ-3")]
    public async Task A_refusal_names_the_fields_the_values_and_the_holder()
    {
        await ConfigureAsync("""{"Name":"Place","Fields":["Address.City","Zip"]}""");
        _database.Put("users/1", $$"""{"Address":{"City":"Oslo"},"Zip":7{{Users}}""");
        _database.Put("users/2", $$"""{"Address":{"City":"Oslo"},"Zip":8{{Users}}""");
        _database.Put("users/3", $$"""{"Address":{"City":"Oslo"}{{Users}}""");
        _database.Put("users/4", $$"""{"Address":{"City":"Oslo"},"Zip":null{{Users}}""");
        _database.Put("people/1", """{"Address":{"City":"Oslo"},"Zip":7,"@metadata":{"@collection":"People"}}""");
        Assert.False(TryPut("Users/9", $$"""{"Address":{"City":"Oslo"},"Zip":7.0{{Users}}"""));
        CommandFailure failure = _database.Batch.Failure;
        Assert.Equal(CommandFailureKind.NotUnique, failure.Kind);
        Assert.Equal("users/1", failure.Unique!.Holder);
        Assert.Equal("Users/9", failure.Unique.Id);
        Assert.Equal(["Address.City", "Zip"], failure.Unique.Fields);
        Assert.Equal(["\"Oslo\"", "7.0"], failure.Unique.Values);
        Assert.Equal("Place", failure.Unique.Constraint);
        Assert.Contains("Address.City = \"Oslo\", Zip = 7.0", failure.Describe(), StringComparison.Ordinal);
        Assert.Null(_database.Read("Users/9"));
    }

    [Fact]
    [Trait("Invariant", "UNIQ-3")]
    public async Task Documents_of_one_batch_may_swap_values_and_the_last_version_counts()
    {
        await ConfigureAsync("""{"Name":"N","Fields":["V"]}""");
        _database.Put("users/1", $$"""{"V":1{{Users}}""");
        _database.Put("users/2", $$"""{"V":2{{Users}}""");
        Assert.True(TryBatch(("users/1", $$"""{"V":2{{Users}}"""), ("users/2", $$"""{"V":1{{Users}}""")));
        Assert.False(TryBatch(("users/1", $$"""{"V":1{{Users}}"""), ("users/3", "{}")));
        Assert.Equal(0, _database.Batch.Failure.OperationIndex);
        Assert.True(TryBatch(("users/1", $$"""{"V":1{{Users}}"""), ("users/1", $$"""{"V":7{{Users}}""")));
        Assert.True(TryBatch(("users/3", $$"""{"V":1{{Users}}"""), ("users/2", null)));
        Assert.False(TryBatch(("users/4", $$"""{"V":5{{Users}}"""), ("users/5", $$"""{"V":5{{Users}}""")));
        Assert.Equal(1, _database.Batch.Failure.OperationIndex);
        Assert.Equal("users/4", _database.Batch.Failure.Unique!.Holder);
        Assert.Null(_database.Read("users/4"));
        Assert.True(TryPut("users/6", """{"V":1,"@metadata":{"@collection":"People"}}"""));
        Assert.False(TryPut("users/6", $$"""{"V":1{{Users}}"""));
        UniqueCheck.Verify(_database.Database, "swaps");
    }

    [Fact]
    public async Task A_document_gives_its_value_back_when_it_goes_or_moves_to_another_collection()
    {
        await ConfigureAsync("""{"Name":"N","Fields":["V"]}""");
        _database.Put("users/1", $$"""{"V":1{{Users}}""");
        _database.Delete("users/1");
        _database.Put("users/2", $$"""{"V":1{{Users}}""");
        _database.Put("users/2", """{"V":1,"@metadata":{"@collection":"Others"}}""");
        _database.Put("users/3", $$"""{"V":1{{Users}}""");
        Assert.False(TryPut("users/2", $$"""{"V":1{{Users}}"""));
        UniqueCheck.Verify(_database.Database, "moves");
    }

    [Fact]
    [Trait("Invariant", "UNIQ-4")]
    public async Task A_constraint_that_does_not_hold_is_reported_and_takes_effect_when_it_does()
    {
        for (int i = 0; i < 300; i++)
        {
            _database.Put($"users/{i}", $$"""{"V":{{i / 2 * 2 % 298}}{{Users}}""");
        }

        await ConfigureAsync("""{"Name":"N","Fields":["V"]}""", """{"Name":"M","Fields":["W"]}""");
        UniqueConstraintState state = StateOf("N");
        Assert.Equal(UniqueStage.Violated, state.Stage);
        Assert.Equal(UniqueStage.Active, StateOf("M").Stage);
        Assert.Equal(300 - 149, state.Excess);
        Assert.Equal(3, state.Shared.Count);
        Assert.Equal(["0"], state.Shared[0].Values);
        Assert.Equal(["users/0", "users/1", "users/298", "users/299"], state.Shared[0].Ids);
        Assert.True(TryPut("users/300", $$"""{"V":7{{Users}}"""));
        Assert.True(TryPut("users/301", $$"""{"V":7{{Users}}"""));
        UniqueCheck.Verify(_database.Database, "violated");
        _database.Restart();
        for (int i = 0; i < 302; i++)
        {
            _database.Put($"users/{i}", $$"""{"V":{{1000 + i}}{{Users}}""");
            UniqueCheck.Verify(_database.Database, $"repaired {i}");
        }

        Assert.Equal(UniqueStage.Active, StateOf("N").Stage);
        Assert.False(TryPut("users/302", $$"""{"V":1000{{Users}}"""));
    }

    [Fact]
    [Trait("Invariant", "UNIQ-1")]
    public async Task Constraints_that_stay_keep_what_they_have_and_those_that_go_leave_nothing()
    {
        await ConfigureAsync("""{"Name":"N","Fields":["V"]}""");
        _database.Put("users/1", $$"""{"V":1,"W":1{{Users}}""");
        await ConfigureAsync("""{"Name":"N","Fields":["V"]}""", """{"Name":"W","Fields":["W"]}""");
        Assert.Equal([1, 2], Numbers());
        await ConfigureAsync("""{"Name":"W","Fields":["W"]}""");
        Assert.Equal([2], Numbers());
        Assert.True(TryPut("users/2", $$"""{"V":1,"W":2{{Users}}"""));
        await ConfigureAsync("""{"Name":"N","Fields":["V"]}""", """{"Name":"W","Fields":["W"]}""");
        Assert.Equal([2, 3], Numbers());
        Assert.Equal(UniqueStage.Violated, StateOf("N").Stage);
        await _database.Database.ConfigureAsync(SettingsStore.UniqueConstraints, "{\"Disabled\":true}"u8.ToArray());
        Assert.Empty(Numbers());
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Equal(0, snapshot.Transaction.TryOpenTree("Unique.Values")!.Count);
    }

    [Theory]
    [InlineData("""[]""", "must be an object")]
    [InlineData("""{"Collections":{"U":{"Constraints":[{"Fields":["A"]}]}}}""", "Name")]
    [InlineData("""{"Collections":{"U":{"Constraints":[{"Name":"N"}]}}}""", "Fields")]
    [InlineData("""{"Collections":{"U":{"Constraints":[{"Name":"N","Fields":[]}]}}}""", "Fields")]
    [InlineData("""{"Collections":{"U":{"Constraints":[{"Name":"N","Fields":["A..B"]}]}}}""", "A..B")]
    [InlineData("""{"Collections":{"U":{"Constraints":[{"Name":"N","Fields":["A[].B"]}]}}}""", "A[].B")]
    [InlineData("""{"Collections":{"U":{"Constraints":[{"Name":"N","Fields":["A","A"]}]}}}""", "twice")]
    [InlineData("""{"Collections":{"U":{},"u":{}}}""", "two configurations")]
    [InlineData("""{"Collections":{"U":{"Constraints":[{"Name":"N","Fields":["A"],"IgnoreCase":1}]}}}""", "IgnoreCase")]
    [InlineData(
        """{"Collections":{"U":{"Constraints":[{"Name":"N","Fields":["A"]},{"Name":"n","Fields":["B"]}]}}}""",
        "two constraints")]
    public async Task A_configuration_that_is_wrong_is_refused_and_nothing_changes(string json, string says)
    {
        FormatException e = await Assert.ThrowsAsync<FormatException>(
            async () => await _database.Database.ConfigureAsync(
                SettingsStore.UniqueConstraints, Encoding.UTF8.GetBytes(json)));
        Assert.Contains(says, e.Message, StringComparison.Ordinal);
        Assert.Null(_database.Database.Settings?.Unique);
    }

    private Task ConfigureAsync(params string[] constraints) => UniqueModel.ConfigureAsync(
        _database.Database, $$"""{"Users":{"Constraints":[{{string.Join(',', constraints)}}]} }""");

    private bool TryPut(string id, string json) => TryBatch((id, json));

    private bool TryBatch(params (string Id, string? Json)[] writes)
    {
        _database.StartBatch();
        foreach ((string id, string? json) in writes)
        {
            Assert.True(json is null ? _database.AddDelete(id) : _database.AddPut(id, json));
        }

        return _database.Submit();
    }

    private UniqueConstraintState StateOf(string name)
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return UniqueConstraints.Read(snapshot, sharedMax: 3, CancellationToken.None).Single(one => one.Name == name);
    }

    private int[] Numbers()
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return [.. UniqueStates.ReadAll(snapshot.Transaction).Select(state => state.Number)];
    }
}
