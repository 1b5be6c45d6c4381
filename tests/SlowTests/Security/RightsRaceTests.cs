using FastTests.Security;

namespace SlowTests.Security;

/// <summary>Rights that change while they are used, many more times than in the fast tests.</summary>
[Trait(Category.Shard, "attacks")]
public sealed class RightsRaceTests
{
    [Fact]
    [Trait("Security", "39")]
    public void A_request_that_starts_after_the_answer_of_an_edit_has_the_new_rights_in_10_000_races()
    {
        using var secured = new SecuredServer();
        Assert.Equal(0, RightsRace.Run(secured, 10_000));
    }
}
