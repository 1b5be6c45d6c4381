namespace FastTests.Scripting;

/// <summary>Generated scripts give what node gave: one of four here, all of them in SlowTests.</summary>
public sealed class OracleTests
{
    [Fact]
    public void Generated_scripts_give_what_node_gave() => NodeAnswers.Compare(first: 1, step: 4);
}
