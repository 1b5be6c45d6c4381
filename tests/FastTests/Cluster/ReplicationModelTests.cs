using Shared.Cluster;

namespace FastTests.Cluster;

/// <summary>
/// The protocol of replication (docs/cluster-protocol.md) in a small bound, and a mistake for each of its rules, which
/// the model must find: a model that was never seen to fail proves nothing. SlowTests visit all states of the large
/// bound.
/// </summary>
public sealed class ReplicationModelTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(1, 65_141)]
    [InlineData(2, 59_848)]
    public void No_state_of_two_epochs_breaks_a_promise(int minInSync, int states) =>
        Assert.Equal(
            new ModelResult(states, null, ""),
            new ReplicationModel(epochs: 2, transactions: 2, crashes: 1, minInSync).Run());

    /// <summary>As real handshakes do, which bring the rest in the session.</summary>
    [Theory]
    [InlineData(1, 57_074)]
    [InlineData(2, 51_489)]
    public void No_state_in_which_handshakes_copy_a_part_of_the_log_breaks_a_promise(int minInSync, int states) =>
        Assert.Equal(
            new ModelResult(states, null, ""),
            new ReplicationModel(epochs: 2, transactions: 2, crashes: 1, minInSync) { CopiesPrefixes = true }.Run());

    [Theory]
    [InlineData("AckBeforeDurable", "a node in sync lacks a committed transaction")]
    [InlineData("MajorityNotAll", "a node in sync lacks a committed transaction")]
    [InlineData("FewerThanMinimum", "committed with fewer nodes than the least")]
    [InlineData("PublishOnReceive", "published what is not committed")]
    [Trait("Invariant", "REP-2")]
    public void A_commit_that_is_not_in_every_journal_is_found(string mistake, string violation) =>
        RequireFound(mistake, violation);

    [Theory]
    [InlineData("TwoInFlight", "published what is not committed")]
    [Trait("Invariant", "REP-3")]
    public void A_second_transaction_in_flight_is_found(string mistake, string violation) =>
        RequireFound(mistake, violation);

    [Theory]
    [InlineData("ShrinkBeforeStore", "a node in sync lacks a committed transaction")]
    [InlineData("ShrinkByOldEpoch", "a node in sync lacks a committed transaction")]
    [Trait("Invariant", "REP-4")]
    public void A_node_that_is_left_out_without_the_store_is_found(string mistake, string violation) =>
        RequireFound(mistake, violation);

    [Theory]
    [InlineData("AddNotAwaited", "a node in sync lacks a committed transaction")]
    [InlineData("AddBehind", "a node in sync lacks a committed transaction")]
    [InlineData("AddBehindInTakeover", "a node in sync lacks a committed transaction")]
    [Trait("Invariant", "REP-5")]
    public void A_node_that_is_added_too_early_is_found(string mistake, string violation) =>
        RequireFound(mistake, violation);

    [Theory]
    [InlineData("NoReconcile", "published what is not committed")]
    [InlineData("TakeoverByAnyone", "a node in sync lacks a committed transaction")]
    [InlineData("TakeoverInSameEpoch", "a node in sync lacks a committed transaction")]
    [Trait("Invariant", "REP-6")]
    public void A_takeover_by_who_may_not_is_found(string mistake, string violation) =>
        RequireFound(mistake, violation);

    [Theory]
    [InlineData("OldEpochAccepted", "a node in sync lacks a committed transaction")]
    [Trait("Invariant", "REP-7")]
    public void A_primary_of_an_older_epoch_that_is_heard_is_found(string mistake, string violation) =>
        RequireFound(mistake, violation);

    [Theory]
    [InlineData("NoSession", "a node in sync lacks a committed transaction")]
    [Trait("Invariant", "REP-8")]
    public void A_record_outside_of_a_session_is_found(string mistake, string violation) =>
        RequireFound(mistake, violation);

    [Theory]
    [InlineData("DoubtPublished", "published what is not committed")]
    [Trait("Invariant", "REP-9")]
    public void A_transaction_in_doubt_that_is_published_is_found(string mistake, string violation) =>
        RequireFound(mistake, violation);

    private void RequireFound(string name, string violation)
    {
        ModelMistake mistake = Enum.Parse<ModelMistake>(name);
        var model = new ReplicationModel(epochs: 4, transactions: 3, crashes: 2, minInSync: 2)
        {
            Mistake = mistake,
            AsksMinimumOfOldLogs = true,
            CopiesPrefixes = mistake == ModelMistake.AddBehindInTakeover,
        };
        ModelResult result = model.Run();
        output.WriteLine(result.ToString());
        Assert.Equal(violation, result.Violation);
        Assert.InRange(result.States, 2, mistake == ModelMistake.AddBehindInTakeover ? 60_000 : 30_000);
        Assert.NotEmpty(result.Trace);
    }
}
