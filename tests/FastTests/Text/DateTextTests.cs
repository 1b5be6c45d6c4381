using System.Globalization;
using System.Text;
using FastTests.Support;
using Raven.Blittable.Text;

namespace FastTests.Text;

public sealed class DateTextTests
{
    private const string Form = "yyyy-MM-ddTHH:mm:ss.fffffffZ";
    private const int Seed = 20260804;

    [Fact]
    public void Dates_of_all_years_are_written_as_the_runtime_writes_them_and_read_back()
    {
        Random random = new(Seed);
        byte[] text = new byte[DateText.Length];
        for (int i = 0; i < 50_000; i++)
        {
            AssertSame(random.NextInt64(DateTime.MaxValue.Ticks + 1), text);
        }
    }

    [Fact]
    public void Every_day_of_four_centuries_and_the_first_and_last_date_are_read_back()
    {
        byte[] text = new byte[DateText.Length];
        for (DateTime day = new(1800, 1, 1); day.Year < 2201; day = day.AddDays(1))
        {
            AssertSame(day.Ticks + (day.Day * 1_234_567_891L), text);
        }

        AssertSame(0, text);
        AssertSame(DateTime.MaxValue.Ticks, text);
    }

    [Fact]
    public void The_bytes_of_dates_sort_in_the_order_of_time()
    {
        Random random = new(Seed + 1);
        byte[] left = new byte[DateText.Length];
        byte[] right = new byte[DateText.Length];
        for (int i = 0; i < 10_000; i++)
        {
            long earlier = random.NextInt64(DateTime.MaxValue.Ticks - 10);
            long later = Math.Min(DateTime.MaxValue.Ticks, earlier + 1 + random.NextInt64(1L << random.Next(1, 62)));
            Assert.True(DateText.TryFormat(earlier, left) && DateText.TryFormat(later, right));
            Assert.True(left.AsSpan().SequenceCompareTo(right) < 0, $"{earlier} and {later}");
        }
    }

    [Theory]
    [InlineData("2014-05-01", "2014-05-01T00:00:00.0000000", DateTimeKind.Unspecified)]
    [InlineData("2014-05-01T12:30:59", "2014-05-01T12:30:59.0000000", DateTimeKind.Unspecified)]
    [InlineData("2014-05-01T12:30:59Z", "2014-05-01T12:30:59.0000000", DateTimeKind.Utc)]
    [InlineData("2014-05-01T12:30:59.5Z", "2014-05-01T12:30:59.5000000", DateTimeKind.Utc)]
    [InlineData("2014-05-01T12:30:59.123", "2014-05-01T12:30:59.1230000", DateTimeKind.Unspecified)]
    [InlineData("2016-02-29T23:59:59.9999999", "2016-02-29T23:59:59.9999999", DateTimeKind.Unspecified)]
    public void Dates_in_shorter_forms_are_read(string text, string expected, DateTimeKind kind)
    {
        Assert.True(DateText.TryParse(Encoding.ASCII.GetBytes(text), out DateTime date));
        Assert.Equal(expected, date.ToString("yyyy-MM-ddTHH:mm:ss.fffffff", CultureInfo.InvariantCulture));
        Assert.Equal(kind, date.Kind);
    }

    [Theory]
    [InlineData("")]
    [InlineData("2014-05-0")]
    [InlineData("2014-05-01Z")]
    [InlineData("2014-05-01T12:30")]
    [InlineData("2014-05-01T12:30:59.")]
    [InlineData("2014-05-01T12:30:59.Z")]
    [InlineData("2014-05-01T12:30:59.12345678")]
    [InlineData("2014-05-01T12:30:59.12345678Z")]
    [InlineData("2014-05-01T12:30:59z")]
    [InlineData("2014-05-01T12:30:59+01:00")]
    [InlineData("2014-05-01 12:30:59")]
    [InlineData("0000-01-01")]
    [InlineData("2014-00-01")]
    [InlineData("2014-13-01")]
    [InlineData("2014-02-29")]
    [InlineData("1900-02-29")]
    [InlineData("2014-04-31")]
    [InlineData("2014-05-00")]
    [InlineData("2014-05-01T24:00:00")]
    [InlineData("2014-05-01T12:60:00")]
    [InlineData("2014-05-01T12:30:60")]
    [InlineData("2014-05-01T12:30:5:")]
    [InlineData("2/14-05-01")]
    [InlineData("2:14-05-01")]
    [InlineData("2014_05-01")]
    public void A_text_that_is_no_date_is_refused(string text) =>
        Assert.False(DateText.TryParse(Encoding.ASCII.GetBytes(text), out _));

    [Fact]
    public void Every_changed_byte_is_refused_or_changes_the_date()
    {
        byte[] text = new byte[DateText.Length];
        long ticks = new DateTime(2014, 5, 11, 12, 34, 56).AddTicks(1234567).Ticks;
        for (int at = 0; at < DateText.Length; at++)
        {
            for (int value = 0; value < 256; value++)
            {
                Assert.True(DateText.TryFormat(ticks, text));
                bool isSame = text[at] == value;
                text[at] = (byte)value;
                bool read = DateText.TryParse(text, out DateTime date);
                Assert.Equal(isSame, read && date.Ticks == ticks && date.Kind == DateTimeKind.Utc);
            }
        }
    }

    [Fact]
    public void A_date_is_not_written_to_a_target_of_27_bytes()
    {
        byte[] text = new byte[DateText.Length - 1];
        Assert.False(DateText.TryFormat(0, text));
        Assert.All(text, part => Assert.Equal(0, part));
    }

    [Fact]
    public void Formatting_and_parsing_allocate_nothing()
    {
        byte[] text = new byte[DateText.Length];
        AssertSame(1, text);
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (long ticks = 0; ticks < 1L << 60; ticks += 1L << 53)
            {
                Assert.True(DateText.TryFormat(ticks, text) && DateText.TryParse(text, out _));
            }
        }));
    }

    private static void AssertSame(long ticks, byte[] text)
    {
        Assert.True(DateText.TryFormat(ticks, text));
        Span<byte> expected = stackalloc byte[DateText.Length];
        Assert.True(new DateTime(ticks).TryFormat(expected, out _, Form, CultureInfo.InvariantCulture));
        Assert.True(expected.SequenceEqual(text), $"ticks {ticks}: {Encoding.ASCII.GetString(text)}");
        Assert.True(DateText.TryParse(text, out DateTime date) && date.Ticks == ticks, $"ticks {ticks}");
    }
}
