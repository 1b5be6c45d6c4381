using System.Text;
using FastTests.Support;
using Raven.Server.Http;

namespace FastTests.Server;

public sealed class QueryParametersTests
{
    [Theory]
    [InlineData("?id=users/1", "id", "users/1")]
    [InlineData("?&id=a%20b&x=1", "id", "a b")]
    [InlineData("?ID=a+b", "id", "a b")]
    [InlineData("?%69d=%D7%A9%F0%9F%98%80", "id", "ש\U0001F600")]
    [InlineData("id=%2F%25", "id", "/%")]
    [InlineData("?x=1&id=&id=2", "id", null)]
    [InlineData("?", "id", null)]
    [InlineData("", "id", null)]
    [InlineData("?idx=1", "id", null)]
    [InlineData("?id", "id", null)]
    [InlineData("?a=b=c", "a", "b=c")]
    public void A_URL_parameter_is_found_and_decoded(string query, string name, string? value) =>
        Assert.Equal(value, new QueryParameters(query).GetText(name));

    [Theory]
    [InlineData("?id=%")]
    [InlineData("?id=%4")]
    [InlineData("?id=%zz")]
    [InlineData("?id=%ff")]
    [InlineData("?id=%c0%80")]
    [InlineData("?id=%ed%a0%80")]
    public void A_URL_parameter_that_is_not_UTF8_is_refused_with_its_name(string query)
    {
        var e = Assert.Throws<BadRequestException>(() => new QueryParameters(query).GetText("id"));
        Assert.Contains("'id'", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void URL_parameters_that_are_no_valid_numbers_or_flags_are_refused()
    {
        var query = new QueryParameters("?start=5&pageSize=99999999999&metadataOnly=True&bad=x&minus=-1");
        Assert.Equal(5, query.GetInt32("start", 0));
        Assert.Equal(int.MaxValue, query.GetInt32("pageSize", 25));
        Assert.Equal(25, query.GetInt32("absent", 25));
        Assert.True(query.GetBool("metadataOnly"));
        Assert.False(query.GetBool("absent"));
        Assert.Throws<BadRequestException>(() => new QueryParameters("?bad=x").GetInt32("bad", 0));
        Assert.Throws<BadRequestException>(() => new QueryParameters("?bad=x").GetBool("bad"));
        Assert.Throws<BadRequestException>(() => new QueryParameters("?minus=-1").GetInt32("minus", 0));
    }

    [Fact]
    public void Reading_the_usual_URL_parameters_allocates_nothing()
    {
        const string text = "?id=users/1-A&start=0&pageSize=25&metadataOnly=true&id=users%2F2-A";
        byte[] target = new byte[256];
        int ids = 0;
        int size = 0;
        bool only = false;
        Assert.Equal(0, Allocated.Least(() =>
        {
            ids = 0;
            var query = new QueryParameters(text);
            foreach (QueryParameters.Parameter parameter in query)
            {
                if (parameter.Is("id") && PercentEncoding.TryDecode(parameter.Encoded, target, out int length))
                {
                    ids += length;
                }
            }

            size = query.GetInt32("pageSize", 0);
            only = query.GetBool("metadataOnly");
        }));
        Assert.Equal((25, true), (size, only));
        Assert.Equal(Encoding.UTF8.GetByteCount("users/1-Ausers/2-A"), ids);
    }
}
