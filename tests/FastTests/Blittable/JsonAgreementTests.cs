namespace FastTests.Blittable;

/// <summary>
/// Row T14: texts, valid and broken, whole, in one-byte chunks, cut in two places and inside a document, judged as
/// System.Text.Json judges them. We differ on purpose in: (1) invalid UTF-8 inside strings and names is refused (the
/// runtime checks it only when the string is read); (2) half surrogate pairs in escapes are refused (the same); (3)
/// duplicate names are refused (an option of the runtime sets that here); (4) a byte order mark is skipped
/// (JsonDocument takes bytes without one).
/// </summary>
public static class JsonAgreementTests
{
    [Fact]
    public static void Mutated_texts_are_judged_as_the_runtime_judges_them() =>
        JsonAgreement.Run(seed: 20261121, texts: 20_000);

    [Fact]
    public static void Short_texts_give_the_same_however_they_are_cut_in_two_places()
    {
        using JsonAgreement agreement = new(seed: 77);
        for (int i = 0; i < 60; i++)
        {
            agreement.CheckEveryTwoCuts(agreement.NextText(lengthMax: 64));
        }
    }
}
