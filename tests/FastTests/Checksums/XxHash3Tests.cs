using System.IO.Hashing;
using FastTests.Support;

namespace FastTests.Checksums;

/// <summary>
/// The hashes in pages, records and keys are XXH3 of 64 bits, on any machine and by any version of the library.
/// </summary>
public sealed class XxHash3Tests
{
    private const long Seed = 0x0123456789ABCDEF;

    /// <summary>Length, hash with seed 0, hash with <see cref="Seed"/>; made with libxxhash 0.8.1 over
    /// <see cref="Data"/>.</summary>
    public static TheoryData<int, ulong, ulong> Vectors => new()
    {
        { 0, 0x2D06800538D394C2, 0xCC1CA35A1B089C5C },
        { 1, 0x32CD626F54BA457E, 0x0556DD62553C9EF4 },
        { 2, 0x343F0402DBB86093, 0x8E5DDB0FC1393AEE },
        { 3, 0x35C59C63F67C71A2, 0xC9906F578D3E71B7 },
        { 4, 0x014BD96CDB45C430, 0x8962F21E403C3914 },
        { 5, 0xED1F4BC95D0D8851, 0x0EAFFEC6DA718F9B },
        { 7, 0xB7D1A99B4FA7EDAB, 0x385AD7600A61027C },
        { 8, 0x065D72EAA49E406B, 0xCFEE65F6BD7468E9 },
        { 9, 0xB5D7BCF9493DD00E, 0xC2A24A7170CE7F6F },
        { 12, 0xDAFE32DD8382C262, 0x11D3BC2B2304A9B4 },
        { 15, 0x71016114D382B7E0, 0x71639A5AA68C633D },
        { 16, 0x0C9057C1B3EF2E34, 0xC8DD38C07F52159C },
        { 17, 0xFEEDDBF262130327, 0x06C07501365563B2 },
        { 31, 0xF8CE56573285CD48, 0x1FDFD0E839E7870C },
        { 32, 0x9FDC67923AB9CD05, 0x17F4E8AA49B2DA46 },
        { 33, 0x0DC76A9B7D7C8D16, 0xBCE706069818E378 },
        { 63, 0x02EC5D089C3D0BCC, 0x3E7E6AAA13259AF8 },
        { 64, 0x48BFB9D77B4958FE, 0xF80EE70E109A2F4B },
        { 65, 0xEDA9A5B82025D0C2, 0xFE61448FAAF05F28 },
        { 96, 0x1AB0580DDE4F9E11, 0x4F90868DEB9E00FF },
        { 97, 0x24E6AAAEE368A2F6, 0x9EC0A2ADEB7A2B0F },
        { 127, 0xEB7161FC447B6D84, 0x0AA0E76BE371B4F0 },
        { 128, 0x218476E38AAED14B, 0xF9A18763811D9D55 },
        { 129, 0x9FD3F0D53E509B70, 0xECAF57D73931763F },
        { 143, 0xF0C4AF7D2FA4D1A4, 0x798699B22955A726 },
        { 144, 0x9DA7741C0CE24916, 0x91ADF5E491EBE122 },
        { 159, 0xF601DCB931FD9458, 0x15726492FEC721FE },
        { 160, 0xCFE8BF661BBB04FC, 0x95BD5948E086CAB6 },
        { 191, 0x3CF7AD81EA4E00F9, 0xDB4EAF5C343EC8C7 },
        { 239, 0x0BAB594BA0A2ECA0, 0xF25B01347A449792 },
        { 240, 0xEC4B87AD468105D4, 0xA37033392328C9B9 },
        { 241, 0x6F7BEF3AD1555088, 0x57527B13F6B5FDE8 },
        { 255, 0x8574A58419642E9F, 0x872D2AE3544A8C41 },
        { 256, 0xF5F373E77768F425, 0x75BBA4BDFEA04437 },
        { 257, 0x83B9DA4470811471, 0xB5ABAF217EDBC9D8 },
        { 320, 0x0DE3B2D7B522DFAC, 0xFD1C4859938561B3 },
        { 511, 0x173700625C543E90, 0xEC6891EC10FDEA38 },
        { 512, 0x57594D7497F0950C, 0x64082B28EFC9C190 },
        { 1023, 0x2CC521CE4485A7E4, 0x156528A2DA4700BE },
        { 1024, 0xC768E7D19AABF178, 0xA8051F2A7359C450 },
        { 1025, 0xACCE310A930447F1, 0x53C1467C75B24587 },
        { 1088, 0x6DEF308A97354177, 0x4AC1CC4ADCF71084 },
        { 2047, 0xEAB13EDD61D31497, 0x9E9109DBCEAD861B },
        { 2048, 0xA321AF4CC60A8911, 0x0F389198A559C2D9 },
        { 2049, 0x6DC2E5016C531102, 0xF9FFBE403305EF38 },
        { 4096, 0xF001877CB36E0278, 0xAD423E0F56953672 },
        { 8160, 0x96AC918C5EFB3371, 0xA43A530E9A53439B },
        { 8192, 0x297D7AB2E5113A1E, 0x43A55EB440F97706 },
        { 65536, 0x425558FE18F40708, 0x775D1A0A1903C1A0 },
        { 100003, 0x57F0A20788F1861C, 0x30DFBD95CF7BAEEB },
    };

    [Theory]
    [MemberData(nameof(Vectors))]
    public void Every_length_class_gives_the_reference_hash(int length, ulong unseeded, ulong seeded)
    {
        byte[] data = Data(length);
        Assert.Equal(unseeded, XxHash3.HashToUInt64(data));
        Assert.Equal(seeded, XxHash3.HashToUInt64(data, Seed));
    }

    [Theory]
    [MemberData(nameof(Vectors))]
    [Trait("Fault", "C1")]
    public void Bytes_in_pieces_have_the_hash_that_they_have_as_a_whole(int length, ulong unseeded, ulong seeded)
    {
        byte[] data = Data(length);
        foreach (int size in (int[])[1, 64, 1000, 8192, 65536])
        {
            var ofNone = new XxHash3();
            var ofSeed = new XxHash3(Seed);
            foreach (byte[] piece in data.Chunk(Math.Max(size, length / 100)))
            {
                ofNone.Append(piece);
                ofSeed.Append(piece);
            }

            Assert.Equal(unseeded, ofNone.GetCurrentHashAsUInt64());
            Assert.Equal(seeded, ofSeed.GetCurrentHashAsUInt64());
        }
    }

    [Fact]
    public void Hashing_allocates_nothing()
    {
        byte[] page = Data(8192);
        ulong sum = 0;
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int length = 0; length < page.Length; length += 13)
            {
                sum += XxHash3.HashToUInt64(page.AsSpan(0, length), (long)sum);
            }
        }));
        Assert.NotEqual(0UL, sum);
    }

    /// <summary>Reproducible bytes: the high byte of each step of a linear congruential generator.</summary>
    private static byte[] Data(int length)
    {
        byte[] data = new byte[length];
        ulong state = 0x9E3779B97F4A7C15;
        for (int i = 0; i < length; i++)
        {
            state = (state * 6364136223846793005) + 1442695040888963407;
            data[i] = (byte)(state >> 56);
        }

        return data;
    }
}
