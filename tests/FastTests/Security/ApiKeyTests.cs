using FastTests.Support;
using Raven.Security.Keys;

namespace FastTests.Security;

/// <summary>The form of API keys.</summary>
public sealed class ApiKeyTests
{
    [Fact]
    public void A_key_has_its_id_within_and_is_never_made_twice()
    {
        HashSet<string> seen = [];
        for (int i = 0; i < 200; i++)
        {
            string id = ApiKey.MakeId();
            string key = ApiKey.Make(id);
            Assert.Equal(ApiKey.Length, key.Length);
            Assert.Matches("^rvk_[a-z2-7]{12}_[A-Za-z0-9_-]{43}_[a-z2-7]{6}$", key);
            Assert.True(ApiKey.TryGetId(key, out ReadOnlySpan<char> found));
            Assert.Equal(id, found);
            Assert.True(seen.Add(key));
        }
    }

    [Fact]
    [Trait("Security", "42")]
    public void A_text_that_is_nearly_a_key_has_no_id()
    {
        string key = ApiKey.Make(ApiKey.MakeId());
        for (int i = 0; i < key.Length; i++)
        {
            char other = key[i] == 'a' ? 'b' : 'a';
            string changed = key[..i] + other + key[(i + 1)..];
            Assert.False(ApiKey.TryGetId(changed, out _), changed);
            Assert.False(ApiKey.TryGetId(key.AsSpan(0, i), out _));
            Assert.False(ApiKey.TryGetId($"{key.AsSpan(0, i)}ä{key.AsSpan(i + 1)}", out _));
        }

        Assert.False(ApiKey.TryGetId(key + " ", out _));
        Assert.False(ApiKey.TryGetId(new string('a', 1 << 20), out _));
    }

    [Fact]
    public void To_check_a_key_allocates_nothing()
    {
        string key = ApiKey.Make(ApiKey.MakeId());
        byte[] hash = new byte[32];
        bool isKey = false;
        Assert.Equal(0, Allocated.Least(() =>
        {
            isKey = ApiKey.TryGetId(key, out _);
            ApiKey.Hash(key, hash);
        }));
        Assert.True(isKey);
        Assert.Equal(ApiKey.HashOf(key), hash);
    }
}
